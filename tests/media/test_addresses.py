from __future__ import annotations

import pytest

from prompt_adapters.errors import FetchRefusedError
from prompt_adapters.media.addresses import AddressRules, HostRules, normal_host

PRIVATE = [
    "127.0.0.1",
    "127.9.9.9",
    "10.0.0.1",
    "172.16.5.5",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "0.0.0.0",
    "0.1.2.3",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2001:0:a9fe:a9fe::",
    "64:ff9b:1:7f00:0:100:808:808",
    "64:ff9b:1::808:808",
    "fec0::1",
    "3fff::1",
    "5f00::1",
    "::ffff:0:7f00:1",
    "::ffff:0:a9fe:a9fe",
    "2001:470:1f00::5efe:7f00:1",
    "2001:470:1f00::200:5efe:a00:1",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_of_the_own_network_is_refused(address: str) -> None:
    with pytest.raises(FetchRefusedError, match="not a public address"):
        AddressRules(allow_private=False).check(address, "host.example")


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "64:ff9b::808:808"])
def test_a_public_address_is_allowed(address: str) -> None:
    AddressRules(allow_private=False).check(address, "host.example")


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "192.168.1.1", "::1", "fc00::1"])
def test_private_addresses_are_allowed_when_asked_for(address: str) -> None:
    AddressRules(allow_private=True).check(address, "host.example")


@pytest.mark.parametrize("address", ["169.254.169.254", "fe80::1", "168.63.129.16", "0.0.0.0", "224.0.0.1"])
def test_where_clouds_hand_out_credentials_has_to_be_listed(address: str) -> None:
    with pytest.raises(FetchRefusedError, match="allow_private"):
        AddressRules(allow_private=True).check(address, "host.example")


def test_listed_networks_are_allowed_and_no_others() -> None:
    rules = AddressRules(allow_private=["10.1.0.0/16", "::1/128", "169.254.169.254/32"])
    for address in ("10.1.2.3", "::1", "169.254.169.254", "8.8.8.8"):
        rules.check(address, "host.example")
    for address in ("10.2.0.1", "127.0.0.1", "169.254.0.1"):
        with pytest.raises(FetchRefusedError):
            rules.check(address, "host.example")


def test_networks_are_checked_when_they_are_given() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        AddressRules(["nonsense"])
    with pytest.raises(TypeError, match="list"):
        AddressRules("10.0.0.0/8")


@pytest.mark.parametrize(
    ("host", "allow", "deny", "allowed"),
    [
        ("example.com", None, (), True),
        ("example.com", ["example.com"], (), True),
        ("Example.COM.", ["example.com"], (), True),
        ("a.example.com", ["example.com"], (), False),
        ("a.example.com", ["*.example.com"], (), True),
        ("example.com", ["*.example.com"], (), False),
        ("badexample.com", ["*.example.com"], (), False),
        ("example.com.evil.net", ["example.com", "*.example.com"], (), False),
        ("example.com", [], (), False),
        ("example.com", None, ["example.com"], False),
        ("a.example.com", ["*.example.com"], ["a.example.com"], False),
        ("a.example.com", None, ["*.EXAMPLE.com"], False),
        ("bücher.example", ["xn--bcher-kva.example"], (), True),
    ],
)
def test_hosts_are_allowed_by_name(host: str, allow: list[str] | None, deny: list[str], allowed: bool) -> None:
    rules = HostRules(allow, deny)
    if allowed:
        rules.check(normal_host(host))
    else:
        with pytest.raises(FetchRefusedError, match=r"(allow|deny)_hosts"):
            rules.check(normal_host(host))


@pytest.mark.parametrize("host", ["", "https://example.com", "example.com/path", "a@b", "*.*.com", "*"])
def test_a_pattern_is_a_host(host: str) -> None:
    with pytest.raises(ValueError, match="no host"):
        HostRules([host], ())
