"""From where somebody asks, as no more than is needed to tell two of them apart."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress

from starlette.requests import Request


def address_key(key: bytes, request: Request) -> str:
    """Whose share a guest takes: that of an address, kept as a keyed hash only."""
    host = request.client.host if request.client else ""
    digest = hmac.new(key, _neighbourhood(host).encode(), hashlib.sha256)
    return f"guest:{digest.hexdigest()[:16]}"


def _neighbourhood(host: str) -> str:
    """One machine may have 2^64 addresses of IPv6; they are one guest."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    return str(ipaddress.ip_network((address, 64), strict=False))
