"""Keys and other secrets, told by shapes that hardly anything else has; none is ever shown whole.

The shapes are those that the vendors give their keys so that they can be found, as GitHub's secret scanning lists them
(https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns), the password
in an address, and what stands behind a word such as ``api_key`` or ``password`` and looks made by chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class _Shape(NamedTuple):
    """The shape of a secret.

    Attributes:
        what: What it is.
        pattern: It, from its first character; what its first group takes belongs to the shape and may be shown.
        different: How many different characters a true one has at least behind that; XXXX has one.
        mixed: Whether it has letters and digits, and is not made of words.
        alone: Whether it is one only where no letter, digit or dash stands beside it.
    """

    what: str
    pattern: re.Pattern[str]
    different: int = 8
    mixed: bool = False
    alone: bool = True


def _shape(what: str, prefix: str, rest: str) -> _Shape:
    return _Shape(what, re.compile(f"({re.escape(prefix)}){rest}"))


def _assigned(what: str, words: str, length: int, different: int) -> _Shape:
    """What stands behind a word and a colon or an equals sign, in quotes or not, also as JSON writes them."""
    quote = r"(?:\\?[\"'])?"
    before = rf"((?<![A-Za-z0-9])(?:{words}){quote}[ \t]{{0,9}}[:=][ \t]{{0,9}}{quote}(?:Bearer )?)"
    value = rf"[A-Za-z0-9+/_.=!#&^~-]{{{length},200}}(?![A-Za-z0-9+/_=(){{$%<\[-])"
    return _Shape(what, re.compile(before + value, re.IGNORECASE), different, mixed=True, alone=False)


_SHAPES = (
    _shape("an Anthropic key", "sk-ant-", r"[\w-]{24,}"),
    _shape("an OpenAI key", "sk-proj-", r"[\w-]{24,}"),
    _shape("an OpenAI key", "sk-svcacct-", r"[\w-]{24,}"),
    _shape("an OpenAI key", "sk-admin-", r"[\w-]{24,}"),
    _shape("an OpenRouter key", "sk-or-v1-", r"[0-9a-f]{32,}"),
    _shape("a Langfuse key", "sk-lf-", r"[0-9a-f]{8}-[0-9a-f-]{27}"),
    _shape("a LangSmith key", "lsv2_", r"(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    _Shape("a key of the kind that OpenAI and others have", re.compile(r"(sk-)[A-Za-z0-9]{20,}"), mixed=True),
    _shape("an AWS access key id", "AKIA", r"[A-Z0-9]{16}"),
    _shape("an AWS access key id", "ASIA", r"[A-Z0-9]{16}"),
    _shape("a Google API key", "AIza", r"[\w-]{35}"),
    _shape("a Google access token", "ya29.", r"[\w-]{60,}"),
    _shape("a Google client secret", "GOCSPX-", r"[\w-]{28}"),
    *(_shape("a GitHub token", f"gh{kind}_", r"[A-Za-z0-9]{36,255}") for kind in "pousr"),
    _shape("a GitHub token", "github_pat_", r"[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    _shape("a GitLab token", "glpat-", r"[\w-]{20,}"),
    _shape("a Hugging Face token", "hf_", r"[A-Za-z]{34}"),
    _shape("a Groq key", "gsk_", r"[A-Za-z0-9]{52}"),
    _shape("an xAI key", "xai-", r"[A-Za-z0-9]{80}"),
    _shape("a Perplexity key", "pplx-", r"[A-Za-z0-9]{48}"),
    _shape("a Replicate token", "r8_", r"[A-Za-z0-9]{37}"),
    _shape("an NVIDIA key", "nvapi-", r"[\w-]{60,}"),
    _shape("a Pinecone key", "pcsk_", r"\w{60,}"),
    _shape("a Databricks token", "dapi", r"[0-9a-f]{32}"),
    *(_shape("a Slack token", f"xox{kind}-", r"[0-9]{8,}-[\w-]{20,}") for kind in "abprs"),
    _shape("a Slack webhook", "hooks.slack.com/services/", r"T\w{8,}/B\w{8,}/\w{20,}"),
    _shape("a Stripe key", "sk_live_", r"[A-Za-z0-9]{24,}"),
    _shape("a Stripe key", "rk_live_", r"[A-Za-z0-9]{24,}"),
    _shape("a SendGrid key", "SG.", r"[\w-]{22}\.[\w-]{43}"),
    _shape("an npm token", "npm_", r"[A-Za-z0-9]{36}"),
    _shape("a PyPI token", "pypi-AgEIcHlwaS5vcmc", r"[\w-]{50,}"),
    _shape("an Azure storage key", "AccountKey=", r"[A-Za-z0-9+/]{86}=="),
    _Shape(
        "a JSON Web Token",
        re.compile(r"((?:(?<![\w-])|(?<=\\[ntr]))eyJ)[\w-]{14,}+\.eyJ[\w-]{10,}+\.[\w-]{20,}"),
        alone=False,
    ),
    _Shape(
        "a password in an address",
        re.compile(r"((?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,60}:)[^\s/:@\"'{}<>$%*]{6,100}(?=@)"),
        different=4,
        alone=False,
    ),
    _assigned(
        "a secret, by its name",
        "api[_-]?key|(?:access|secret|private|account)[_-]?key|(?:client[_-]?)?secret|(?:api|auth|access|bot)?[_-]?token|authorization",
        length=16,
        different=8,
    ),
    _assigned("a password", "password|passwd|pwd", length=6, different=5),
)
_PRIVATE_KEY = re.compile(r"-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----")
_AROUND = re.compile(r"[A-Za-z0-9_+/-]")  # beside a secret, so that it is a piece of something longer
_STANDS_FOR_ONE = re.compile(
    r"placeholder|redacted|your|dummy|changeme|\A(?:pass(?:word|wd)?|secret|token)\Z", re.IGNORECASE
)
_EXAMPLE = re.compile("example|sample", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z]+|\d+")
_TELLING = 4  # characters of a secret by which a piece of it is known


class Secret(NamedTuple):
    """A secret in a text.

    Attributes:
        what: What it is.
        start: Where it begins.
        end: Where it ends.
        shown: What may be shown of it.
        example: Whether it says of itself that it is an example.
    """

    what: str
    start: int
    end: int
    shown: str
    example: bool = False


def secrets_in(text: str) -> Iterator[Secret]:
    """The secrets in a text, each once, in order of their shapes."""
    taken: set[int] = set()
    for shape in _SHAPES:
        for match in shape.pattern.finditer(text):
            start, end = match.span()
            if start in taken or end - 1 in taken or (shape.alone and _is_piece(text, start, end)):
                continue
            body = match[0][len(match[1]) :]
            if not _is_plausible(body, shape):
                continue
            taken.update(range(start, end))
            yield Secret(shape.what, start, end, f"{match[1]}…", _EXAMPLE.search(body) is not None)
    for match in _PRIVATE_KEY.finditer(text):
        yield Secret("a private key", *match.span(), match[0])


def _is_piece(text: str, start: int, end: int) -> bool:
    follows = _AROUND.match(text[max(start - 1, 0) : start]) is not None and not _after_escape(text, start)
    return follows or _AROUND.match(text, end) is not None


def _after_escape(text: str, start: int) -> bool:
    r"""Whether the letter in front belongs to an escaped line break, as in the ``\n`` of JSON."""
    return text[max(start - 2, 0) : start] in (r"\n", r"\t", r"\r")


def _is_plausible(body: str, shape: _Shape) -> bool:
    if len(set(body)) < shape.different or _STANDS_FOR_ONE.search(body) is not None:
        return False
    return not shape.mixed or not all(map(_WORD.fullmatch, re.split(r"[\W_]+", body.strip("=._-/+!#&^~"))))


def masked(text: str, known: Iterable[tuple[str, str]] = ()) -> str:
    """A text in which no secret stands whole.

    Args:
        text: The text.
        known: Secrets of which it may have a piece, each with what may be shown of it.
    """
    for secret in sorted(secrets_in(text), key=lambda secret: secret.start, reverse=True):
        text = f"{text[: secret.start]}{secret.shown}{text[secret.end :]}"
    for value, shown in known:
        begin = value[: len(shown) - 1 + _TELLING]
        while len(begin) >= len(shown) and (start := text.find(begin)) >= 0:
            end = start + len(begin)
            while end - start < len(value) and text[end : end + 1] == value[end - start]:
                end += 1
            text = f"{text[:start]}{shown}{text[end:]}"
    return text
