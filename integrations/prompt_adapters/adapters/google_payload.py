"""The payload of the block contract in Google's types: the only place that needs Google's library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from prompt_adapters.adapters.base import Spot
from prompt_adapters.adapters.blocks import ImageLike, Item, Turn, is_part
from prompt_adapters.adapters.tidy import SYSTEM_ROLES
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Text, ToolCall
from prompt_adapters.content.sniff import sniff
from prompt_adapters.errors import MissingDependencyError

if TYPE_CHECKING:
    from prompt_adapters.adapters.google import GoogleGenAIStylePromptAdapter
