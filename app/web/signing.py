"""Signing up, in and out, and what only the person themselves may do with an account.

The REST API and the plain forms of the pages come through here, so that both are held to the same
rules. A session is new at each sign-in, and what the guest left behind becomes the account's.
"""

from __future__ import annotations

import hmac

import structlog
from fastapi import Request

from app.errors import Forbidden, Invalid, Unauthorized
from app.store import Account
from app.store.people import name_key, token_hash
from app.web.cookies import GUEST, SESSION, cookie, set_cookie
from app.web.identity import Person, become, guest_of, person_of, require
from app.web.names import legal_name
from app.web.parts import Parts
from app.web.passwords import legal_password
from app.web.rates import Rate
from app.web.secret import new_recovery_code, new_session, read_recovery_code

# Counted before a password is looked at, whether or not there is such an account. A classroom may
# be behind one address.
TRIES_OF_ACCOUNT = Rate("sign-in attempts", 10, 600)
TRIES_OF_ADDRESS = Rate("sign-in attempts from one address", 100, 600)
SIGN_UPS = Rate("sign-ups from one address", 60, 3600)

_WRONG = "the name or the password is wrong"

_log = structlog.get_logger()


async def sign_up(parts: Parts, request: Request, name: str, password: str) -> str:
    """Make an account and sign in; the recovery code comes back, this once.

    Raises Invalid, Forbidden, TooManyRequests, Busy.
    """
    if not parts.sign_up:
        raise Forbidden("nobody can sign up here; ask whoever runs this for an account")
    name = legal_name(name)
    legal_password(password, name)
    parts.rates.take(request, SIGN_UPS, parts.address(request))
    code = new_recovery_code()
    hashed = await parts.passwords.hashed(password)
    user = await parts.store.add_account(name, hashed, code)
    _log.info("signed up", user=user)
    await begin_session(parts, request, user)
    return code


async def sign_in(parts: Parts, request: Request, name: str, password: str) -> None:
    """Raises Unauthorized, after the same time and in the same words for accounts that there are not,
    TooManyRequests, Busy."""
    account = await _tried(parts, request, name)
    kept = account.password_hash if account is not None else None
    if not await parts.passwords.right(password, kept) or account is None or kept is None:
        _log.info("sign-in refused")
        raise Unauthorized(_WRONG)
    parts.rates.forgive(TRIES_OF_ACCOUNT, name_key(name))
    if parts.passwords.outdated(kept):
        hashed = await parts.passwords.hashed(password)
        await parts.store.refresh_password_hash(account.number, kept, hashed)
    await begin_session(parts, request, account.number)


async def recover(parts: Parts, request: Request, name: str, code: str, password: str) -> str:
    """A new password for whoever has the recovery code; a new code comes back, this once.

    Raises Unauthorized, Invalid, TooManyRequests, Busy.
    """
    legal_password(password, name)
    account = await _tried(parts, request, name)
    kept = (account.recovery_hash if account is not None else None) or token_hash("")
    right = hmac.compare_digest(kept, token_hash(read_recovery_code(code)))
    if not right or account is None or not account.recovery_hash:
        _log.info("recovery refused")
        raise Unauthorized("the name or the recovery code is wrong")
    parts.rates.forgive(TRIES_OF_ACCOUNT, name_key(name))
    fresh = new_recovery_code()
    hashed = await parts.passwords.hashed(password)
    await parts.store.set_password(account.number, hashed, fresh)
    await begin_session(parts, request, account.number)
    return fresh


async def begin_session(parts: Parts, request: Request, user: int) -> None:
    """Sign in: a session that did not exist before, and the guest's things moved."""
    session = new_session()
    guest = guest_of(request)
    await parts.store.add_session(user, session, guest=guest, instead_of=cookie(request, SESSION))
    set_cookie(request, SESSION, session, parts.session_s)
    owner = await parts.store.session_owner(session, parts.session_s)
    if owner is not None:
        become(request, owner)
    set_cookie(request, GUEST, "", 0)
    _log.info("signed in", user=user)


async def sign_out(parts: Parts, request: Request) -> None:
    """Here; whoever is not signed in stays so."""
    if session := cookie(request, SESSION):
        await parts.store.end_session(session)
        set_cookie(request, SESSION, "", 0)


async def sign_out_everywhere(parts: Parts, request: Request) -> None:
    account = await own_account(parts, request)
    await parts.store.end_sessions(account.number)
    set_cookie(request, SESSION, "", 0)


async def change_password(parts: Parts, request: Request, old: str, new: str) -> None:
    """Every other session ends. Raises Unauthorized where the old one is wrong."""
    account = await own_account(parts, request)
    legal_password(new, account.name)
    await _confirm(parts, request, account, old)
    hashed = await parts.passwords.hashed(new)
    await parts.store.set_password(account.number, hashed)
    await begin_session(parts, request, account.number)


async def renew_recovery_code(parts: Parts, request: Request, password: str) -> str:
    """A new code, this once; the old one counts no more."""
    account = await own_account(parts, request)
    await _confirm(parts, request, account, password)
    code = new_recovery_code()
    await parts.store.set_recovery_code(account.number, code)
    return code


async def delete_account(parts: Parts, request: Request, password: str) -> None:
    """The account and all that is its own. The last admin stays: nobody else could make another."""
    account = await own_account(parts, request)
    await _confirm(parts, request, account, password)
    if account.role == "admin" and await parts.store.admins() == 1:
        raise Invalid("you are the only admin; make another one before you leave")
    await parts.store.delete_account(account.number)
    set_cookie(request, SESSION, "", 0)
    _log.info("account deleted", user=account.number)


async def own_account(parts: Parts, request: Request) -> Account:
    """The account of whoever is signed in here. A token is not enough: it may have leaked."""
    person = signed_in(request)
    assert person.user is not None
    return await parts.store.account(person.user)


def signed_in(request: Request) -> Person:
    """Raises Unauthorized for guests, Forbidden for tokens."""
    person = person_of(request)
    require(person, "learner")
    if person.token is not None:
        raise Forbidden("a token may not do this; sign in on the pages")
    return person


async def _tried(parts: Parts, request: Request, name: str) -> Account | None:
    """One more attempt at this name; the account, if there is one that may be signed in to."""
    parts.rates.take(request, TRIES_OF_ADDRESS, parts.address(request))
    parts.rates.take(request, TRIES_OF_ACCOUNT, name_key(name))
    account = await parts.store.account_named(name)
    return None if account is None or account.disabled else account


async def _confirm(parts: Parts, request: Request, account: Account, password: str) -> None:
    """What cannot be undone asks for the password again, where there is one."""
    if account.password_hash is None:
        return
    parts.rates.take(request, TRIES_OF_ACCOUNT, name_key(account.name))
    if not await parts.passwords.right(password, account.password_hash):
        raise Unauthorized("the password is wrong")
    parts.rates.forgive(TRIES_OF_ACCOUNT, name_key(account.name))
