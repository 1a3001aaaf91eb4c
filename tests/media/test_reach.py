import pytest

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image
from prompt_adapters.content.source import Link
from prompt_adapters.media.fit import fit_messages
from prompt_adapters.media.reach import private_host
from prompt_adapters.targets import route


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://127.0.0.1:9000/b/k.jpeg?X-Sig=abc", "127.0.0.1"),
        ("http://localhost/a.png", "localhost"),
        ("http://minio:9000/a.png", "minio"),
        ("https://photos.local/a.png", "photos.local"),
        ("http://10.0.0.1/x.png", "10.0.0.1"),
        ("http://169.254.169.254/x.png", "169.254.169.254"),
        ("http://[::1]/x.png", "::1"),
        ("http://user:word@192.168.1.5/x.png", "192.168.1.5"),
        ("https://img.example/a.png", None),
        ("https://8.8.8.8/a.png", None),
        ("https://localhost.example.com/a.png", None),
        ("gs://bucket/a.png", None),
        ("s3://localhost/a.png", None),
        ("http://[zz]/a.png", None),
    ],
)
def test_private_hosts_are_told_from_public_ones(url: str, host: str | None) -> None:
    assert private_host(Link(url)) == host


def test_a_provider_that_cannot_reach_a_link_is_noted_and_a_server_of_ones_own_is_not() -> None:
    messages = (Message("user", [Image("http://127.0.0.1:9000/b/k.jpeg?X-Sig=abc")]),)
    fitted, notes = fit_messages(messages, route("gpt-4o").limits, style="openai_style")
    assert fitted == messages
    assert [str(note) for note in notes] == [
        "message 1 (user), part 1: OpenAI cannot reach 127.0.0.1; give the file or its bytes instead"
    ]
    for model in ("hosted_vllm/qwen", "litellm_proxy/gpt-4o"):
        assert fit_messages(messages, route(model).limits, style="openai_style") == (messages, ())
