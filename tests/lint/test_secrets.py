"""What looks like a key is found, never shown whole, and hardly anything else is taken for one."""

import base64
import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters.lint.secrets import masked, secrets_in

_CHANCE = random.Random(7)


def made_up(length: int, letters: str = string.ascii_letters + string.digits) -> str:
    return "".join(_CHANCE.choice(letters) for _ in range(length))


UPPER, HEX = string.ascii_uppercase + string.digits, "0123456789abcdef"
KEYS = {
    "Anthropic": "sk-ant-api03-" + made_up(93) + "AA",
    "OpenAI project": "sk-proj-" + made_up(48),
    "OpenAI service": "sk-svcacct-" + made_up(60),
    "OpenAI of old": "sk-" + made_up(20) + "T3BlbkFJ" + made_up(20),
    "OpenRouter": "sk-or-v1-" + made_up(64, HEX),
    "DeepSeek": "sk-" + made_up(32, HEX),
    "AWS": "AKIA" + made_up(16, UPPER),
    "AWS for a while": "ASIA" + made_up(16, UPPER),
    "Google": "AIza" + made_up(35),
    "GitHub": "ghp_" + made_up(36),
    "GitHub, fine-grained": "github_pat_" + made_up(22) + "_" + made_up(59),
    "GitLab": "glpat-" + made_up(20),
    "Hugging Face": "hf_" + made_up(34, string.ascii_letters),
    "Groq": "gsk_" + made_up(52),
    "xAI": "xai-" + made_up(80),
    "Perplexity": "pplx-" + made_up(48),
    "Replicate": "r8_" + made_up(37),
    "Slack": "xoxb-" + made_up(12, string.digits) + "-" + made_up(24),
    "Stripe": "sk_live_" + made_up(24),
    "SendGrid": "SG." + made_up(22) + "." + made_up(43),
    "npm": "npm_" + made_up(36),
    "PyPI": "pypi-AgEIcHlwaS5vcmc" + made_up(60),
    "Azure": "AccountKey=" + made_up(86) + "==",
    "JSON Web Token": "eyJ" + made_up(33) + ".eyJ" + made_up(40) + "." + made_up(43),
    "Langfuse": "sk-lf-" + "-".join(made_up(n, HEX) for n in (8, 4, 4, 4, 12)),
    "LangSmith": "lsv2_pt_" + made_up(32, HEX) + "_" + made_up(10, HEX),
    "NVIDIA": "nvapi-" + made_up(64),
    "Google client": "GOCSPX-" + made_up(28),
    "Databricks": "dapi" + made_up(32, HEX),
}
AROUND = ["{}", "key: {}", 'api_key="{}"', "Bearer {}\n", "({})", '{{"k": "a\\n{}"}}', "# {}", "{},", "x={}&y=1", "{}."]
HARMLESS = [
    "sk-1234",
    "sk-" + "x" * 48,
    "sk-ant-api03-" + "X" * 95,
    "sk-ant-api03-YOUR-KEY-" + made_up(90),
    "AKIA" + "0" * 16,
    "task-" + made_up(40),
    "disk-" + made_up(32, HEX),
    "ghp_short",
    "https://example.org/" + made_up(60),
    "sha256 " + made_up(64, HEX),
    "risk-averse-and-other-words-that-are-long-enough-to-look-like-one",
    "sk-learn-is-a-library-and-this-is-a-sentence-with-dashes",
    "hf_hub_download(repo_id='a/b', filename='config.json', revision='main')",
    base64.b64encode(_CHANCE.randbytes(3000)).decode(),
    "-----BEGIN PUBLIC KEY-----",
    "max_tokens: 16000, token: {{ token }}, api_key=$API_KEY, secret: ${SECRET_123456789012}",
    "token: gpt-4-turbo-2024-04-09 and secret: projects/my-project/secrets/name",
    "api_key = os.environ['OPENAI_API_KEY_2']; password: get_password_2()",
    "Your password: at least 12 characters. Password: password. pwd: changeme123",
    "postgres://ada:{{ password }}@host, https://ada:$PASSWORD@host, https://ada:<password>@host, http://h:8080/@ada",
    "https://ada:password@host and mail to ada:other@example.org",
    "The token is what the lexer yields: token=identifier_or_keyword_or_literal",
    "eyJhbGciOiJIUzI1NiJ9 is how the head of one begins",
    "-----BEGIN CERTIFICATE-----",
]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_a_key_is_found_and_masked(key: str, around: str) -> None:
    text = around.format(key)
    (secret,) = secrets_in(text)
    assert text[secret.start : secret.end] == key
    shown = secret.shown.removesuffix("…")
    assert key.startswith(shown)
    assert len(shown) <= 20
    assert masked(text) == around.format(secret.shown)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_none(text: str) -> None:
    assert list(secrets_in(text)) == []
    assert masked(text) == text


NAMED = {
    'api_key: "AbCd1234EfGh5678IjKl"': "AbCd1234EfGh5678IjKl",
    "OPENAI_API_KEY=AbCd1234EfGh5678IjKl": "AbCd1234EfGh5678IjKl",
    '{\\"apiKey\\": \\"AbCd1234EfGh5678IjKl\\"}': "AbCd1234EfGh5678IjKl",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYuvwxyzKEYa": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYuvwxyzKEYa",
    "Authorization: Bearer 0a1B2c3D4e5F6g7H8i": "0a1B2c3D4e5F6g7H8i",
    "password: hunter2": "hunter2",
    "DB_PASSWORD='S3cr3t!pw'": "S3cr3t!pw",
    "postgres://ada:s3cretpw@db.example.org/x": "s3cretpw",
    "redis://:s3cretpw@localhost": "s3cretpw",
}


@pytest.mark.parametrize(("text", "value"), NAMED.items())
def test_what_a_name_tells_to_be_one(text: str, value: str) -> None:
    (secret,) = secrets_in(text)
    assert value in text[secret.start : secret.end]
    assert not secret.example
    assert masked(text) == text.replace(value, "…")


def test_an_example_is_told_as_one() -> None:
    (secret,) = secrets_in("AKIAIOSFODNN7EXAMPLE")
    assert secret.example
    assert masked("AKIAIOSFODNN7EXAMPLE") == "AKIA…"
    assert not any(found.example for key in KEYS.values() for found in secrets_in(key))


def test_a_piece_of_a_known_secret_is_masked() -> None:
    known = [(KEYS["GitHub"], "ghp_…")]
    key = KEYS["GitHub"]
    assert masked(f"'{key[:20]}…' and {key[:9]} and {key}", known) == "'ghp_……' and ghp_… and ghp_…"
    assert masked(f"{key[:6]} ghp_ other", known) == f"{key[:6]} ghp_ other"


LONG = ["eyJ" * 100_000, "sk-" * 100_000, "a://b:" * 50_000, "token" * 60_000, "token: " * 50_000, "api_key=" * 40_000,
        "xoxb-1" * 50_000, "-----BEGIN " * 30_000, "password: a1" * 30_000, "eyJ" + "a" * 300_000 + ".eyJ"]  # fmt: skip


@pytest.mark.parametrize("text", LONG)
def test_time_grows_with_the_text(text: str) -> None:
    start = time.process_time()
    for _ in secrets_in(text):
        pass
    assert time.process_time() - start < 2


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "PGP "])
def test_private_keys(kind: str) -> None:
    block = " BLOCK" if kind == "PGP " else ""
    (secret,) = secrets_in(f"a\n-----BEGIN {kind}PRIVATE KEY{block}-----\nMIIE")
    assert secret.what == "a private key"


def test_all_of_them_each_once() -> None:
    text = "\n".join(KEYS.values())
    assert len(list(secrets_in(text))) == len(KEYS)
    assert not any(key in masked(text) for key in KEYS.values())


@given(st.text(max_size=60), st.sampled_from(sorted(KEYS.values())), st.text(max_size=60))
def test_no_key_that_is_found_is_left(before: str, key: str, after: str) -> None:
    text = f"{before} {key} {after}"
    assert key not in masked(text)
