"""The files of a standardized directory, and what stands in the documented three."""

from __future__ import annotations

from prompt_adapters.formats.json_text import format_json
from prompt_adapters.formats.readable import shown_system, shown_user
from prompt_adapters.formats.sections import converse_data, section_text, with_section
from prompt_adapters.prompt import Prompt

USER_FILE = "user_prompt.txt"
SYSTEM_FILE = "system_prompt.txt"
FEW_SHOT_FILE = "few_shot.json"
PROMPT_FILE = "prompt.json"
DOCUMENTED = (USER_FILE, SYSTEM_FILE, FEW_SHOT_FILE)
NAMES = (*DOCUMENTED, PROMPT_FILE)


def documented_files(prompt: Prompt) -> dict[str, str]:
    """The texts of the documented files, by name."""
    user, system, files = shown_user(prompt), shown_system(prompt), {}
    few_shot = prompt.few_shot
    if few_shot is not None:
        match few_shot.format:
            case "converse":
                # The documented program ends this file without a newline.
                files[FEW_SHOT_FILE] = format_json(converse_data(few_shot)).removesuffix("\n")
            case "append_to_user_prompt":
                user = None if user is None else with_section(user, section_text(few_shot))
            case "append_to_system_prompt":
                system = with_section(system, section_text(few_shot))
    files |= {} if user is None else {USER_FILE: user}
    return files | ({SYSTEM_FILE: system} if system else {})
