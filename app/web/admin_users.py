"""Accounts in the admin area: found, given roles, disabled, reset. Over REST and as pages."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Path, Query, Request, Response
from starlette.responses import RedirectResponse

from app.errors import Invalid
from app.store.members import ROLES
from app.web.admin_area import area, area_api
from app.web.admin_rejudges import who
from app.web.admin_user_schemas import (
    USERS_A_PAGE,
    NewUserIn,
    NewUserOut,
    PasswordOut,
    UserIn,
    UserOut,
    UsersOut,
    next_of,
)
from app.web.form import fields
from app.web.names import legal_name
from app.web.pages import Pages
from app.web.parts import Parts
from app.web.problem_json import responses
from app.web.secret import new_recovery_code

_BODY = (400, 408, 413, 415)
UserNumber = Annotated[int, Path(ge=1, le=2**53)]
After = Annotated[int, Query(ge=0, le=2**53)]
Search = Annotated[str, Query(max_length=100, pattern=r"^[^\x00]*$")]
RoleFilter = Annotated[Literal["", "learner", "author", "admin"], Query()]


def api(parts: Parts) -> APIRouter:
    """/api/v1/admin/users."""
    routes = area_api(parts)
    store = parts.store

    @routes.get("/users")
    async def list_users(search: Search = "", role: RoleFilter = "", after: After = 0) -> UsersOut:
        """Accounts with this in their name, the oldest first."""
        return UsersOut.of(await store.members(search, role, after, USERS_A_PAGE))

    @routes.post("/users", status_code=201, responses=responses(*_BODY))
    async def add_user(new: Annotated[NewUserIn, Body()], request: Request) -> NewUserOut:
        """Make an account for somebody, also where nobody can sign up."""
        number, password = await _add(parts, new.name, new.role, request)
        return NewUserOut(user=UserOut.of(await store.member(number)), password=password)

    @routes.get("/users/{number}", responses=responses(404))
    async def get_user(number: UserNumber) -> UserOut:
        """One account."""
        return UserOut.of(await store.member(number))

    @routes.patch("/users/{number}", responses=responses(404, *_BODY))
    async def change_user(
        number: UserNumber, change: Annotated[UserIn, Body()], request: Request
    ) -> UserOut:
        """Give a role, disable, enable. The last admin stays one."""
        if change.role is not None:
            await store.set_role(number, change.role, who(request))
        if change.disabled is not None:
            await store.set_disabled(number, change.disabled, who(request))
        return UserOut.of(await store.member(number))

    @routes.post("/users/{number}/reset-password", responses=responses(404))
    async def reset_password(number: UserNumber, request: Request) -> PasswordOut:
        """A temporary password, shown this once; the old one and every session end."""
        return PasswordOut(password=await _reset(parts, number, request))

    @routes.post("/users/{number}/revoke-access", responses=responses(404))
    async def revoke_access(number: UserNumber, request: Request) -> UserOut:
        """End every session and make every token worthless."""
        await store.revoke_access(number, who(request))
        return UserOut.of(await store.member(number))

    @routes.delete("/users/{number}", status_code=204, responses=responses(404))
    async def delete_user(number: UserNumber, request: Request) -> None:
        """Delete the account and everything that is its own."""
        await store.delete_member(number, who(request))

    return routes


def router(pages: Pages) -> APIRouter:
    """/admin/users."""
    routes = area(pages)
    store = pages.parts.store

    @routes.get("/users")
    async def users(
        request: Request, search: Search = "", role: RoleFilter = "", after: After = 0
    ) -> Response:
        return pages.form(request, "admin_users.html", **await _found(pages, search, role, after))

    @routes.post("/users")
    async def add(request: Request) -> Response:
        name, role = await fields(request, "name", "role")
        typed = {"new_name": name, "new_role": role}
        pages.again(request, "admin_users.html", **await _found(pages) | typed)
        number, password = await _add(pages.parts, name, role, request)
        shown = await _one(pages, number) | {"password": password}
        return pages.form(request, "admin_user.html", **shown)

    @routes.get("/users/{number}")
    async def user(request: Request, number: UserNumber) -> Response:
        return pages.form(request, "admin_user.html", **await _one(pages, number))

    @routes.post("/users/{number}/role")
    async def set_role(request: Request, number: UserNumber) -> Response:
        pages.again(request, "admin_user.html", **await _one(pages, number))
        (role,) = await fields(request, "role")
        await store.set_role(number, _legal_role(role), who(request))
        return _see(number)

    _access(routes, pages)
    return routes


def _access(routes: APIRouter, pages: Pages) -> None:
    store = pages.parts.store

    async def again(request: Request, number: int) -> None:
        """Let the page of the account come again where what was asked is refused."""
        pages.again(request, "admin_user.html", **await _one(pages, number))

    @routes.post("/users/{number}/disable")
    async def disable(request: Request, number: UserNumber) -> Response:
        await again(request, number)
        await store.set_disabled(number, True, who(request))
        return _see(number)

    @routes.post("/users/{number}/enable")
    async def enable(request: Request, number: UserNumber) -> Response:
        await again(request, number)
        await store.set_disabled(number, False, who(request))
        return _see(number)

    @routes.post("/users/{number}/reset-password")
    async def reset(request: Request, number: UserNumber) -> Response:
        await again(request, number)
        shown = {"password": await _reset(pages.parts, number, request)}
        return pages.form(request, "admin_user.html", **await _one(pages, number) | shown)

    @routes.post("/users/{number}/revoke-access")
    async def revoke(request: Request, number: UserNumber) -> Response:
        await again(request, number)
        await store.revoke_access(number, who(request))
        return _see(number)

    @routes.post("/users/{number}/delete")
    async def delete(request: Request, number: UserNumber) -> Response:
        await again(request, number)
        await store.delete_member(number, who(request))
        return RedirectResponse("/admin/users", status_code=303)


async def _add(parts: Parts, name: str, role: str, request: Request) -> tuple[int, str]:
    """Make an account; its number, and a password to be handed on. Raises Invalid."""
    name, role, password = legal_name(name), _legal_role(role), new_recovery_code()
    hashed = await parts.passwords.hashed(password)
    return await parts.store.add_member(name, role, hashed, who(request)), password


async def _reset(parts: Parts, number: int, request: Request) -> str:
    password = new_recovery_code()  # as easy to dictate
    await parts.store.member(number)  # before a hash is paid for
    await parts.store.reset_password(number, await parts.passwords.hashed(password), who(request))
    return password


async def _one(pages: Pages, number: int) -> dict[str, Any]:
    member = await pages.parts.store.member(number)
    return {"member": member, "roles": ROLES, "password": ""}


async def _found(pages: Pages, search: str = "", role: str = "", after: int = 0) -> dict[str, Any]:
    found = await pages.parts.store.members(search, role, after, USERS_A_PAGE)
    asked = {"search": search, "role": role, "new_name": "", "new_role": "learner"}
    return {"members": found, "roles": ROLES, "next": next_of(found), **asked}


def _legal_role(role: str) -> str:
    if role not in ROLES:
        raise Invalid(f"a role is one of {', '.join(ROLES)}")
    return role


def _see(number: int) -> Response:
    return RedirectResponse(f"/admin/users/{number}", status_code=303)
