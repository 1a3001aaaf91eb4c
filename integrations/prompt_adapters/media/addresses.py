"""Which hosts and addresses may be asked for a link, whoever wrote it.

An address counts as public when it is globally reachable by the registries of special-purpose addresses, and when each
address that is written inside it (IPv4 in IPv6, NAT64, 6to4, ISATAP) is too:
https://www.iana.org/assignments/iana-ipv4-special-registry/ and https://www.iana.org/assignments/iana-ipv6-special-registry/
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from prompt_adapters.errors import FetchRefusedError

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

# Clouds answer there, to the machine itself, though the address is public. No list of special addresses has it:
# https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
_CLOUD_ADDRESSES: Final = frozenset({ip_address("168.63.129.16")})
_NAT64: Final = ip_network("64:ff9b::/96")
_TRANSLATED: Final = ip_network("::ffff:0:0:0/96")
_ISATAP: Final = (0x5EFE, 0x02005EFE)
# What the registries list, or listed, as of one's own network, and not every Python knows: translation of IPv4 of one's
# own (RFC 8215), site-local addresses (RFC 3879), documentation (RFC 9637), segments of routes (RFC 9602).
_OWN: Final = tuple(map(ip_network, ("64:ff9b:1::/48", "fec0::/10", "3fff::/20", "5f00::/16")))
_IPV4_IN_IPV6: Final = ip_network("::/96")


class AddressRules:
    """What may be connected to.

    Args:
        allow_private: False for public addresses only; True for those of the own network and machine as well, but not
            link-local ones, where clouds hand out credentials; or the networks that are allowed besides the public
            ones, as ``["10.1.0.0/16"]``.

    Raises:
        ValueError: A network is none.
        TypeError: It is a single text.
    """

    def __init__(self, allow_private: bool | Collection[str]) -> None:
        if isinstance(allow_private, str):
            raise TypeError("allow_private is True, False or a list of networks, as ['10.1.0.0/16']")
        self._any_private = allow_private is True
        listed = () if isinstance(allow_private, bool) else allow_private
        self._networks: tuple[Network, ...] = tuple(ip_network(network) for network in listed)

    def check(self, address: str, host: str) -> None:
        """Refuse an address that is not allowed.

        Raises:
            FetchRefusedError: It is private, reserved, or one where a cloud hands out credentials.
        """
        try:
            given = ip_address(address.partition("%")[0])
        except ValueError:
            raise FetchRefusedError(f"{host!r} leads to {address[:60]!r}, which is no address") from None
        if any(given in network for network in self._networks):
            return
        for found in (given, *_inside(given)):
            if not self._allowed(found):
                raise FetchRefusedError(
                    f"{host!r} leads to {given}, which is not a public address; "
                    "if it is meant, list its network in allow_private"
                )

    def _allowed(self, address: Address) -> bool:
        if any(address in network for network in _OWN):
            return self._any_private
        if address in _CLOUD_ADDRESSES or address.is_multicast or address.is_unspecified or address.is_link_local:
            return False
        return address.is_global or (self._any_private and (address.is_private or address.is_loopback))


def _inside(address: Address) -> Iterator[Address]:
    """The IPv4 addresses that an IPv6 address is another way of writing."""
    if isinstance(address, IPv4Address):
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
    plain = address in _IPV4_IN_IPV6 and int(address) > 0xFFFF
    if plain or address in _NAT64 or address in _TRANSLATED or (int(address) >> 32) & 0xFFFFFFFF in _ISATAP:
        yield IPv4Address(int(address) & 0xFFFFFFFF)


class HostRules:
    """Which hosts may be asked, by name.

    Args:
        allow: The only ones, as ``["example.com", "*.example.org"]``; None for all. ``*.`` stands for every name below.
        deny: Those that are refused, also where `allow` has them.

    Raises:
        TypeError: It is a single text.
        ValueError: A pattern holds more than a host.
    """

    def __init__(self, allow: Collection[str] | None, deny: Collection[str]) -> None:
        for name, hosts in (("allow_hosts", allow), ("deny_hosts", deny)):
            if isinstance(hosts, str):
                raise TypeError(f"{name} is a list of hosts, as ['example.com', '*.example.org']")
        self._allow = None if allow is None else tuple(_pattern(host) for host in allow)
        self._deny = tuple(_pattern(host) for host in deny)

    def check(self, host: str) -> None:
        """Refuse a host that is not allowed; `host` is in the spelling of `normal_host`.

        Raises:
            FetchRefusedError: It is denied, or not among those that are allowed.
        """
        if any(_matches(host, pattern) for pattern in self._deny):
            raise FetchRefusedError(f"the host {host!r} is in deny_hosts")
        if self._allow is not None and not any(_matches(host, pattern) for pattern in self._allow):
            raise FetchRefusedError(f"the host {host!r} is not in allow_hosts")


def normal_host(host: str) -> str:
    """A host's name as it is looked up: lower case, without a final dot, in ASCII.

    Raises:
        FetchRefusedError: It is no name of a host.
    """
    plain = host.rstrip(".").lower()
    try:
        return plain if plain.isascii() else plain.encode("idna").decode("ascii")
    except UnicodeError:
        raise FetchRefusedError(f"{host[:80]!r} is no name of a host") from None


def _pattern(host: str) -> str:
    below = "*." if host.startswith("*.") else ""
    name = normal_host(host.removeprefix("*."))
    if not name or any(character in name for character in "*/@ ") or "://" in name:
        raise ValueError(f"{host!r} is no host; write 'example.com' or '*.example.com'")
    return below + name


def _matches(host: str, pattern: str) -> bool:
    return host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern
