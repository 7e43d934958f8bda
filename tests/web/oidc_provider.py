"""A small OpenID provider over loopback HTTP, which can also be told to lie."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT, SECRET = "allclose", "client secret: with & signs"


@dataclass
class FakeProvider:
    """Signs in whoever comes, as `subject`."""

    issuer: str = ""
    subject: str = "248289761001"
    name: str = "Grace Hopper"
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))
    lies: dict[str, Any] = field(default_factory=dict)  # claims that replace the true ones
    document: dict[str, Any] = field(default_factory=dict)  # the same, of what it says of itself
    algorithm: str = "RS256"
    published: RSAKey | None = None  # another key than the one that signs
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)

    def authorized(self, url: str) -> dict[str, str]:
        """What the browser brings back from the page to which it was sent."""
        asked = dict(parse_qsl(urlsplit(url).query))
        assert url.startswith(f"{self.issuer}/authorize?")
        assert (asked["response_type"], asked["client_id"]) == ("code", CLIENT)
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return {"code": code, "state": asked["state"], "iss": self.issuer}

    def described(self) -> dict[str, Any]:
        places = {
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
        }
        return {"issuer": self.issuer, **places, **self.document}

    def keys(self) -> dict[str, Any]:
        return dict(KeySet([self.published or self.key]).as_dict(private=False))

    def exchanged(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        given = base64.b64decode(authorization.removeprefix("Basic ")).decode()
        asked = self.codes.pop(form.get("code", ""), None)
        if given != "allclose:client%20secret%3A%20with%20%26%20signs" or asked is None:
            return 401, {"error": "invalid_client"}
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if challenge != asked["code_challenge"] or form["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        claims = {
            "iss": self.issuer,
            "sub": self.subject,
            "aud": CLIENT,
            "nonce": asked["nonce"],
            "iat": int(time.time()),
            "exp": int(time.time()) + 300,
            "name": self.name,
            **self.lies,
        }
        header = {"alg": self.algorithm, "kid": "one"}
        key: Any = self.key
        token = jwt.encode(header, claims, key, algorithms=[self.algorithm])
        return 200, {"access_token": "unused", "token_type": "Bearer", "id_token": token}


@contextmanager
def providing() -> Iterator[FakeProvider]:
    """One that answers until the block ends."""
    provider = FakeProvider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the library's name
            provider.requests.append(self.path)
            if self.path == "/keys":
                self._answer(200, provider.keys())
            else:
                self._answer(200, provider.described())

        def do_POST(self) -> None:  # the library's name
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {key: values[0] for key, values in parse_qs(body).items()}
            self._answer(*provider.exchanged(form, self.headers.get("Authorization", "")))

        def _answer(self, status: int, content: dict[str, Any]) -> None:
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Tests need no log of it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
