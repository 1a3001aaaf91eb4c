"""What was changed, said in one line."""

from __future__ import annotations

from prompt_adapters.content.frozen import frozen


@frozen()
class Note:
    """One change that was made on the way to the target.

    Attributes:
        position: Where, as ``"message 2 (user), part 1"``; empty for the request as a whole.
        text: What, and why.
    """

    position: str
    text: str

    def __str__(self) -> str:
        line = f"{self.position}: {self.text}" if self.position else self.text
        return " ".join(line.split())
