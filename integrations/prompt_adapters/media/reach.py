"""Whether a provider can reach what a link leads to, told from the link alone: no name is looked up."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from prompt_adapters.content.source import Link

_LOCAL_NAMES = ("localhost", "local", "internal", "lan", "home.arpa")


def private_host(link: Link) -> str | None:
    """The host of a web link that only its own network can reach, as ``"127.0.0.1"``; None for all others."""
    if link.scheme not in ("http", "https"):
        return None
    try:
        host = (urlsplit(link.url).hostname or "").rstrip(".")
    except ValueError:  # brackets that hold no address
        return None
    try:
        return None if ip_address(host).is_global else host
    except ValueError:
        local = "." not in host or any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES)
        return host if host and local else None
