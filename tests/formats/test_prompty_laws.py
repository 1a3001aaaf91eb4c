"""Laws of prompties: what is read is written, any bytes give a prompt or an error, and large files end soon."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from prompt_adapters import load_prompt
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.prompty import dump, held, parse

LINK = "https://example.org/a.png"


def _head(yaml: str, body: str = "user:\na\n") -> str:
    return f"---\n{yaml}\n---\n{body}"


PIECES = (
    "\n", "\n", " ", "a", "{{ x }}", "{{x}}", "{% if x %}", "{% endif %}", "{%- if x -%}", "{# c #}", "{{ photo }}",
    "\n{{ chat }}\n", "{% set q = 1 %}", "{{ q }}", "{% raw %}{{ z }}{% endraw %}", "\nuser:\n", "\nsystem:\n",
    "\n# Assistant :\n", '\nuser[name="Bo"]:\n', "\r\n", "---\n", "![a](https://example.org/a.png)", "![a]({{ pic }})",
    "{% for m in h %}{{m.role}}:{{m.content}}{% endfor %}", "{", "\u2028", "{{! c }}", "{{#x}}", "{{/x}}", "```",
    "{#\nuser:\n#}", "{{! c\nsystem:\n}}", "{{- x --}}",
)  # fmt: skip
HEADS = (
    "name: a", "sample: {x: 1}", "inputs: [{name: photo, kind: image}, {name: chat, kind: thread}]",
    f"inputs: [{{name: photo, kind: image, default: '{LINK}'}}]", "template: mustache",
    "template: {format: mustache, parser: prompty}\ninputs: [{name: photo, kind: file}]",
)  # fmt: skip


@example(head="template: mustache", body='\nuser[name="Bo"]:\na\n{{! c\nsystem:\n}}')
@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(head=st.sampled_from(HEADS), body=st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join))
def test_what_is_read_is_held_and_written(head: str, body: str) -> None:
    try:
        prompt = parse(_head(head, body))
    except PromptFormatError:
        return
    kept, losses = held(prompt)
    assert held(kept) == (kept, ())
    if "![" not in body:
        assert (kept, losses) == (prompt, ())
    elif prompt.syntax == "jinja":  # pictures become inputs
        assert losses == ()
        assert parse(dump(prompt)) == kept


@settings(max_examples=300)
@given(
    data=st.one_of(
        st.binary(max_size=60),
        st.lists(st.sampled_from((*PIECES, "---\n", "model: ", "${file:", "inputs: ", "- ", "}")), max_size=8)
        .map("".join)
        .map(str.encode),
    )
)
def test_any_bytes_give_a_prompt_or_an_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.prompty"
    path.write_bytes(data)
    try:
        load_prompt(path)
    except PromptFormatError as error:
        refused = error.path
    else:
        refused = str(path)
    assert refused == str(path)


HOSTILE = {
    "messages": "user:\na\n" * 20_000,
    "attributes": "user[a=" + " " * 100_000,
    "quotes": "user[" + 'a="' * 30_000,
    "open tags": "{{" * 50_000,
    "statements": "{% if x %}" * 10_000,
    "pictures": "![a](" * 30_000,
    "loops": ("{% for a in b %}" + " " * 50) * 2_000,
    "histories": "{% for m in h %}{{m.role}}:{{m.content}}{% endfor %}\n" * 2_000,
    "comments": "{# a #}\n" * 20_000,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_large_files_end_soon(body: str) -> None:
    with suppress(PromptFormatError):
        assert parse(_head("sample: {}", body)).messages
