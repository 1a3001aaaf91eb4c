"""A chain that ends with a template, until a chat model is piped to it: ``{"question": …} | template | model``."""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import RunnableSequence


class UnaimedSequence(RunnableSequence[Any, Any]):
    """A sequence whose last step is a template, which finds out what the next one is.

    In all other ways it is the sequence that LangChain makes, and what is made of it is one. LangChain itself makes the
    sequence where a Runnable stands first, as ``RunnablePassthrough.assign(…) | template``; write
    ``… | (template | model)`` there.
    """

    def __or__(self, other: Any) -> RunnableSequence[Any, Any]:
        """A longer chain; the template is aimed at a chat model, as in ``template | model``."""
        name = self.name or (other.name if isinstance(other, RunnableSequence) else None)
        return RunnableSequence(*self.steps[:-1], self.steps[-1] | other, name=name)

    def pipe(self, *others: Any, name: str | None = None) -> RunnableSequence[Any, Any]:
        """A chain, as with ``|``."""
        last = self.steps[-1].pipe(*others) if others else self.steps[-1]
        return RunnableSequence(*self.steps[:-1], last, name=name)

    def get_name(self, suffix: str | None = None, *, name: str | None = None) -> str:
        """Its name, which is that of LangChain's own sequence."""
        return super().get_name(suffix, name=name or self.name or RunnableSequence.__name__)

    @classmethod
    def lc_id(cls) -> list[str]:
        """The class that dumps name: LangChain's own."""
        return RunnableSequence.lc_id()
