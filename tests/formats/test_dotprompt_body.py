"""The body of a dotprompt file as entries of a prompt."""

from typing import Any

import pytest

from prompt_adapters import History, Image
from prompt_adapters.blocks import Block
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.dotprompt_body import read_body
from prompt_adapters.formats.picoschema import loose_schema
from prompt_adapters.patterns import Pattern
from prompt_adapters.turns import Turn

SCHEMA = loose_schema(
    {
        "xs(array)": "string",
        "docs(array)": {"t": "string"},
        "o": {"a": "string"},
        "n": "integer",
        "s": "string",
        "photos(array)": "string",
    }
)
PAST = History("history", required=False)
IMAGE = {"type": "image", "url": "{{ p }}", "mime_type": "image/png"}
ANY = "is defined and ({0} or {0} is mapping)"


def file(name: str, **more: str) -> Block:
    return Block.read(Pattern({"type": "file", "url": f"{{{{ {name} }}}}", **more}), "")


def text(template: str) -> Block:
    return Block("text", template=template)


def blocks(*items: Block) -> Turn:
    return Turn("user", [*items], spaced=False)


# the body: its entries
ROWS: dict[str, list[Any]] = {
    "Hi {{x}} {{{x}}} {{&x}}": [Turn("user", "Hi {{ x }} {{ x }} {{ x }}")],
    '{{role "system"}}S{{role "user"}}U': [Turn("system", "S"), Turn("user", "U")],
    'a{{role "model"}}b': [Turn("user", "a"), Turn("assistant", "b")],
    '{{role "user"}}{{role "system"}}a': [Turn("system", "a")],
    '{{role "user"}}a{{role "user"}}b': [Turn("user", "a"), Turn("user", "b")],
    "{{role 'system'}}a\n{{history}}\n{{role 'user'}}b": [Turn("system", "a\n"), PAST, Turn("user", "b")],
    "{{history}}x": [PAST, Turn("assistant", "x")],
    "{{json x}} {{json x indent=2}}": [Turn("user", "{{ x | tojson }} {{ x | tojson(2) }}")],
    "{{media url=p}}": [blocks(file("p"))],
    'a {{media url=p contentType="image/png"}} b': [blocks(text("a "), Block.read(Pattern(IMAGE), ""), text(" b"))],
    "{{media url=p contentType=k}}": [blocks(file("p", mime_type="{{ k }}"))],
    '{{media url="https://e.org/a.png"}}': [blocks(Block.read(Image("https://e.org/a.png"), ""))],
    "{{#each photos}}{{media url=this}}{{/each}}": [blocks(file("photos"))],
    "{{#each photos as |one|}}{{media url=one}}{{/each}}": [blocks(file("photos"))],
    "{{#if p}}See: {{media url=p}}{{/if}}!": [
        blocks(text(f"{{% if p {ANY.format('p')} %}}See: {{% endif %}}"), file("p"), text("!"))
    ],
    "{{#if x}}a{{else}}b{{/if}}": [Turn("user", f"{{% if x {ANY.format('x')} %}}a{{% else %}}b{{% endif %}}")],
    "{{#if s}}a{{else if n}}b{{else}}c{{/if}}": [Turn("user", "{% if s %}a{% elif n %}b{% else %}c{% endif %}")],
    "{{#unless s}}a{{/unless}}": [Turn("user", "{% if not s %}a{% endif %}")],
    "{{#unless x}}a{{/unless}}": [Turn("user", f"{{% if not (x {ANY.format('x')}) %}}a{{% endif %}}")],
    "{{#each xs}}{{@index}}{{this}}{{@key}}{{/each}}": [
        Turn("user", "{% for item in xs %}{{ loop.index0 }}{{ item }}{{ loop.index0 }}{% endfor %}")
    ],
    "{{#each docs}}{{t}} {{../s}}{{@first}}{{@last}}{{else}}-{{/each}}": [
        Turn("user", "{% for item in docs %}{{ item.t }} {{ s }}{{ loop.first }}{{ loop.last }}{% else %}-{% endfor %}")
    ],
    "{{#each q}}{{this}}{{/each}}": [
        Turn("user", "{% for item in (q.values() if q is mapping else q) %}{{ item }}{% endfor %}")
    ],
    "{{#each xs as |x i|}}{{x}}{{i}}{{/each}}": [Turn("user", "{% for x in xs %}{{ x }}{{ loop.index0 }}{% endfor %}")],
    "{{#each o}}{{@key}}={{this}}{{/each}}": [
        Turn("user", "{% for key, item in o.items() %}{{ key }}={{ item }}{% endfor %}")
    ],
    "{{item}}{{#each xs}}{{this}}{{/each}}": [Turn("user", "{{ item }}{% for item_2 in xs %}{{ item_2 }}{% endfor %}")],
    '{{#ifEquals x "a"}}b{{/ifEquals}}': [Turn("user", '{% if x == "a" %}b{% endif %}')],
    "{{#unlessEquals x true}}b{{/unlessEquals}}": [Turn("user", "{% if x != true %}b{% endif %}")],
    "{{#ifEquals x -1.5}}b{{/ifEquals}}": [Turn("user", "{% if x == -1.5 %}b{% endif %}")],
    "{{o.a}} {{o.[b c]}} {{xs.[0]}} {{this.x}} {{@root.x}}": [
        Turn("user", '{{ o.a }} {{ o["b c"] }} {{ xs[0] }} {{ x }} {{ x }}')
    ],
    "{{o.items}}": [Turn("user", '{{ o["items"] }}')],
    "{{! c }}a{{!-- }} --}}": [Turn("user", "a")],
    "a {{~x~}} b": [Turn("user", "a{{ x }}b")],
    "\\{{x}} {{y}}": [Turn("user", "{{ '{' }}{x}} {{ y }}")],
    "{% x %} {# {{x}}": [Turn("user", "{{ '{' }}% x %} {{ '{' }}# {{ x }}")],
    " \n": [],
    '{{role "system"}}': [],
}


@pytest.mark.parametrize(("body", "entries"), ROWS.items(), ids=ROWS)
def test_what_is_read(body: str, entries: list[Any]) -> None:
    assert list(read_body(body, SCHEMA).entries) == entries


def test_media_under_a_condition_may_be_left_out() -> None:
    assert read_body("{{#if p}}{{media url=p}}{{/if}}{{media url=q}}", SCHEMA).optional == {"p"}


# the body: what the error says
FAULTS = {
    '{{section "a"}}': "the helper 'section' has no place in a prompt",
    '{{role "tool"}}': "'tool' is no role of a turn; the roles are system, user, model",
    '{{role "assistant"}}': "'assistant' is no role",
    "{{role x}}": "{{role}} takes a text, as a value may not choose a role",
    '{{role "user" x=1}}': "'user' is no role of a turn",
    "{{> p}}": "{{> p}}, a partial, cannot be read",
    "{{#with x}}{{/with}}": "the block {{#with}} has no place",
    "{{helper x}}": "the helper 'helper' has no place",
    '{{#if x}}{{role "system"}}{{/if}}': "{{role}} inside a block, which values would switch on and off",
    "{{#if x}}{{history}}{{/if}}": "{{history}} inside a block",
    '{{#each xs}}a{{role "system"}}{{this}}{{/each}}': "{{role}} inside a block",
    "{{#each q}}{{media url=this}}{{/each}}": "declare q(array) in input.schema",
    "{{#each photos}}a{{media url=this}}{{/each}}": "in a loop over media, {{media url=this}} stands alone",
    "{{#if x}}{{media url=p}}{{/if}}": "media, roles and histories stand in a block only for its own variable",
    "{{#if o.a}}{{media url=o.a}}{{/if}}": "which is not a variable by itself",
    "{{#unless x}}{{media url=x}}{{/unless}}": "media inside a block other than {{#if}} or {{#each}}",
    "{{#if x}}{{#if y}}{{media url=y}}{{/if}}{{/if}}": "only for its own variable",
    "{{@auth.x}}": "the data variable '@auth.x' has no place in a prompt",
    "{{@root}}": "the data variable '@root'",
    "{{@index}}": "'@index' stands outside its loop",
    "{{../x}}": "'../x' climbs out of the template",
    "{{this}}": "means all the variables at once; name one",
    "{{#each q}}{{@key}}{{/each}}": "whether '@key' is a name or a number only values tell",
    "{{#each n}}{{/each}}": "{{#each}} of 'n', which the schema says is no list",
    "{{#each xs ys}}{{/each}}": "{{#each}} takes the name of one value",
    "{{#each xs as |loop|}}{{/each}}": "'loop' cannot be the name of a loop's item here",
    "{{media}}": "{{media}} takes url=…",
    "{{media url=p alt=q}}": "{{media}} takes url=…",
    '{{media url="file:///etc/passwd"}}': "'file:///etc/passwd' is not a link",
    '{{media url="/etc/passwd"}}': "'/etc/passwd' is neither a URL nor a data URL",
    '{{media url="data:image/png;base64,!!"}}': "{{media}}",
    "<<<dotprompt:role:system>>>": "'<<<dotprompt:' is what Google's library marks roles and media with",
    "{{self}}": "'self' cannot be the name of a variable here; rename it",
    "{{a-b}}": "'a-b' cannot be the name of a variable here",
    "{{json x indent=y}}": "{{json}} takes the name of one value, and an indent",
    "{{#history}}{{/history}}": "the block {{#history}} has no place",
    "{{history x}}": "{{history}} takes no arguments",
    "{{#if x y}}{{/if}}": "{{#if}} takes the name of one value",
    "{{#if x}}a{{else each xs}}b{{/if}}": "cannot be read; write {{else if …}}",
    "{{#ifEquals x}}{{/ifEquals}}": "{{#ifEquals}} compares two values",
    '{{#ifEquals x "a\\b"}}{{/ifEquals}}': "has a quote, a backslash or a control character",
}  # fmt: skip


@pytest.mark.parametrize(("body", "reason"), FAULTS.items(), ids=FAULTS)
def test_what_has_no_word_is_refused_with_its_line(body: str, reason: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        read_body(f"one\ntwo\n{body}", SCHEMA)
    assert reason in caught.value.reason
    assert caught.value.line == 3
