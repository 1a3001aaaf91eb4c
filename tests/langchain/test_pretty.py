"""Prompts for people."""

from prompt_adapters import FewShot, History, Image, Message, Prompt, ToolCall
from prompt_adapters.langchain import AdapterPromptTemplate
from prompt_adapters.langchain.pretty import pretty


def lines(prompt: Prompt, *, html: bool = False) -> list[str]:
    return [line.strip("= ") for line in pretty([prompt], html=html).splitlines() if line]


def test_messages_stand_under_their_titles(photo: Image) -> None:
    prompt = Prompt(
        messages=[
            ("system", "Be {{ x }}"),
            ("developer", "d"),
            History("chat"),
            Message("user", ["look", photo]),
            Message("assistant", ToolCall("1", "f")),
            ("user", ["a", {"type": "image", "variable": "photos", "index": 1}, photo]),
        ]
    )
    image = f"[image: image/png, {len(photo.as_bytes())} bytes]"
    assert lines(prompt) == [
        "System Message", "Be {{ x }}",
        "Developer Message", "d",
        "Messages Placeholder", "{chat}",
        "Human Message", f"look{image}",
        "AI Message", "[ToolCall(id='1', name='f', arguments={})]",
        "Human Message", "a{photos[1]}" + image,
    ]  # fmt: skip


def test_examples_are_shown() -> None:
    assert lines(Prompt(user="u", few_shot=FewShot([("i", "o")]))) == [
        "Human Message", "u", "Examples", "Input: i", "Output: o"
    ]  # fmt: skip
    appended = Prompt(user="u", few_shot=FewShot([("i", "o")], "append_to_user_prompt"))
    assert lines(appended)[2] == "Examples, appended to the user message"


def test_a_notebook_gets_bold_titles_and_coloured_slots() -> None:
    shown = pretty([Prompt(messages=[History("h"), ("user", "u")])], html=True)
    assert "\x1b[1m Human Message" in shown or "<b>" in shown or "Human Message" in shown
    assert shown != pretty([Prompt(messages=[History("h"), ("user", "u")])], html=False)


def test_a_template_prints_itself(capsys: object, photo: Image) -> None:
    template = AdapterPromptTemplate.from_prompt(Prompt(system="s", user="{{ q }}"))
    assert template.pretty_repr() == pretty(template.prompts, html=False)
    template.pretty_print()
    assert "{{ q }}" in capsys.readouterr().out  # type: ignore[attr-defined]  # pytest's fixture
