"""Signing in with somebody else's word for it: any OpenID provider, with code, PKCE, state and nonce.

What is believed: the token endpoint over TLS, and an ID token that it signed for this client, for
this attempt (`nonce`), now. A person is the issuer's subject and nothing else; an e-mail address can
be given to somebody else, or be anybody's word.

Needs the extra `oauth`; only `assembly` imports this, where a provider is set.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from app.errors import ProviderUnavailable, SettingsError, Unauthorized
from app.web.provider import Attempt, Identity

# Only what needs the provider's private key: with an HMAC, this client's secret could sign as well.
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]
_ANSWER_S = 10.0
_ANSWER_BYTES = 256 * 1024
_KEPT_S = 3600.0
_LEEWAY_S = 60


@dataclass(frozen=True, slots=True)
class _Found:
    """What the provider says of itself, and when it was asked."""

    document: Mapping[str, Any]
    keys: KeySet
    at: float


class OpenIdProvider:
    """One provider, one client of it."""

    def __init__(self, issuer: str, client_id: str, secret: str, name: str) -> None:
        if not _trusted(issuer):
            raise SettingsError("ALLCLOSE_OIDC_ISSUER must begin with https://")
        if not client_id:
            raise SettingsError("ALLCLOSE_OIDC_CLIENT_ID is missing; the provider gives one")
        self.issuer = issuer
        self.name = name or urlsplit(issuer).hostname or issuer
        self._client_id = client_id
        self._secret = secret
        self._found: _Found | None = None
        # Reading the machine's certificates takes tens of milliseconds.
        self._tls = ssl.create_default_context()

    async def begin(self, redirect_uri: str, attempt: Attempt) -> str:
        """Where the browser goes to sign in. Raises ProviderUnavailable."""
        digest = hashlib.sha256(attempt.verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": redirect_uri,
            "scope": "openid profile",
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        place = (await self._discovered()).document["authorization_endpoint"]
        return f"{place}{'&' if '?' in place else '?'}{urlencode(asked)}"

    async def finish(
        self, told: Mapping[str, str], attempt: Attempt, redirect_uri: str
    ) -> Identity:
        """Who came back. Raises Unauthorized for anybody else's answer, ProviderUnavailable."""
        if not hmac.compare_digest(told.get("state", "").encode(), attempt.state.encode()):
            raise Unauthorized("this sign-in was not begun here, or too long ago; begin again")
        if told.get("iss", self.issuer) != self.issuer or "code" not in told:
            raise Unauthorized(f"{self.name} did not sign you in")
        tokens = await self._exchanged(told["code"], attempt, redirect_uri)
        claims = await self._claims(str(tokens.get("id_token", "")), attempt.nonce)
        wanted = (str(claims.get(key) or "") for key in ("preferred_username", "nickname", "name"))
        name = next((one for one in wanted if one), "")
        return Identity(self.issuer, str(claims["sub"]), name)

    async def _exchanged(self, code: str, attempt: Attempt, redirect_uri: str) -> dict[str, Any]:
        place = (await self._discovered()).document["token_endpoint"]
        given = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": attempt.verifier,
        }
        pair = f"{quote(self._client_id, safe='')}:{quote(self._secret, safe='')}"
        headers = {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
        return await self._asked("POST", place, data=given, headers=headers)

    async def _claims(self, id_token: str, nonce: str) -> dict[str, Any]:
        found = await self._discovered()
        try:
            claims = _verified(id_token, found.keys)
        except (JoseError, ValueError):
            # Its keys may have changed since they were read.
            found = await self._discovered(fresh=True)
            try:
                claims = _verified(id_token, found.keys)
            except (JoseError, ValueError):
                raise Unauthorized(f"what {self.name} answered is not signed by it") from None
        if not self._meant_for_us(claims, nonce):
            raise Unauthorized(f"what {self.name} answered was not meant for this sign-in")
        return claims

    def _meant_for_us(self, claims: Mapping[str, Any], nonce: str) -> bool:
        audience = claims.get("aud")
        audiences = [audience] if isinstance(audience, str) else audience or []
        now, expires, issued = time.time(), claims.get("exp"), claims.get("iat")
        return (
            claims.get("iss") == self.issuer
            and self._client_id in audiences
            and (len(audiences) == 1 or claims.get("azp") == self._client_id)
            and isinstance(expires, int | float)
            and now < expires + _LEEWAY_S
            and isinstance(issued, int | float)
            and issued < now + _LEEWAY_S
            and hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode())
            and isinstance(claims.get("sub"), str)
            and 0 < len(claims["sub"]) <= 255
        )

    async def _discovered(self, *, fresh: bool = False) -> _Found:
        if self._found is None or fresh or time.monotonic() > self._found.at + _KEPT_S:
            place = f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
            document = await self._asked("GET", place)
            if document.get("issuer") != self.issuer:
                raise ProviderUnavailable(f"{self.name} says that it is somebody else")
            for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
                if not _trusted(str(document.get(name, ""))):
                    raise ProviderUnavailable(f"{self.name} names no {name} to be trusted")
            try:
                keys = KeySet.import_key_set(await self._asked("GET", document["jwks_uri"]))  # type: ignore[arg-type]
            except (JoseError, ValueError, KeyError, TypeError):
                raise ProviderUnavailable(f"the keys of {self.name} cannot be read") from None
            self._found = _Found(document, keys, time.monotonic())
        return self._found

    async def _asked(self, method: str, url: str, **sent: Any) -> dict[str, Any]:
        """A JSON object from the provider, bounded in time and size."""
        try:
            async with (
                httpx.AsyncClient(timeout=_ANSWER_S, trust_env=False, verify=self._tls) as client,
                client.stream(method, url, **sent) as answer,
            ):
                body = b""
                async for chunk in answer.aiter_bytes():
                    body += chunk
                    if len(body) > _ANSWER_BYTES:
                        raise ProviderUnavailable("the identity provider says too much")
        except httpx.HTTPError:
            raise ProviderUnavailable("the identity provider cannot be reached") from None
        if answer.status_code in (400, 401, 403) and method == "POST":
            raise Unauthorized("the identity provider did not sign you in")
        try:
            found = json.loads(body)
        except ValueError:
            found = None
        if answer.status_code != 200 or not isinstance(found, dict):
            raise ProviderUnavailable("the identity provider did not answer as it must")
        return found


def _verified(id_token: str, keys: KeySet) -> dict[str, Any]:
    return dict(jwt.decode(id_token, keys, algorithms=_ALGORITHMS).claims)


def _trusted(url: str) -> bool:
    """TLS, or this very machine."""
    place = urlsplit(url)
    here = place.hostname in ("127.0.0.1", "::1", "localhost")
    return place.scheme == "https" or (place.scheme == "http" and here)
