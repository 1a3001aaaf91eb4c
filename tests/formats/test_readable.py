import pytest

from prompt_adapters import FewShot, History, Image, Message, Prompt, Text, ToolCall
from prompt_adapters.formats.readable import (
    digest,
    part_text,
    plain_examples,
    plain_turns,
    shown_system,
    shown_user,
    system_entries,
    user_entries,
)
from prompt_adapters.turns import Turn
from strategies import PNG

U, S = Turn("user", "u"), Turn("system", "s")

# prompt: (system text, user text)
SHOWN: dict[str, tuple[Prompt, str | None, str | None]] = {
    "both": (Prompt(messages=[S, U]), "s", "u"),
    "user only": (Prompt(messages=[U]), None, "u"),
    "system only": (Prompt(messages=[S]), "s", None),
    "an empty system turn": (Prompt(messages=[("system", ""), U]), "", "u"),
    "leading system turns": (Prompt(messages=[S, ("developer", "d"), U, ("system", "later")]), "s\n\nd", "u"),
    "a history first": (Prompt(messages=[History("h"), S, U]), None, "u"),
    "the last user turn": (Prompt(messages=[U, ("assistant", "a"), Message("user", ["x", "y"])]), None, "xy"),
    "blocks": (Prompt(user=["a", {"type": "audio", "variable": "v"}, Text("b")]), None, "a\n[audio: v]\nb"),
}


@pytest.mark.parametrize(("prompt", "system", "user"), SHOWN.values(), ids=SHOWN)
def test_what_is_shown(prompt: Prompt, system: str | None, user: str | None) -> None:
    assert shown_system(prompt) == system
    assert shown_user(prompt) == user


def test_entries_by_their_place() -> None:
    prompt = Prompt(messages=[S, U, ("system", "later"), ("user", "v")])
    assert system_entries(prompt) == [S]
    assert user_entries(prompt) == [U, Turn("user", "v")]


def test_media_and_tools_have_a_short_form() -> None:
    assert part_text(Text("[a]")) == "[a]"
    assert part_text(Image(PNG)).startswith("[Image(image/png, 70 bytes, sha256 ")
    assert "search" in part_text(ToolCall("1", "search"))


def test_plain_turns_and_examples() -> None:
    assert plain_turns("s", "u") == (S, U)
    assert plain_turns("", "") == (Turn("user", ""),)
    assert plain_turns(None, None) == ()
    assert plain_examples(FewShot([(["a", "b"], "c")])) == FewShot([("ab", "c")])


def test_digests_take_any_text() -> None:
    assert digest("a") == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    assert digest("\ud83d") != digest("")
