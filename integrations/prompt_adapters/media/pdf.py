"""What has to be known of a PDF before it is sent: how many pages it has, and whether it can be opened.

Most files need no reader for that: a file has no more pages than objects of that type, and where objects are packed or
encrypted it says so. Only then pypdf reads it, without its text and pictures, and within narrow limits on work: a file
that is made to keep its reader busy is given up, and counts as one whose pages cannot be told.
"""

from __future__ import annotations

import re
from io import BytesIO
from time import thread_time
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pypdf import PdfReader

_PAGE = re.compile(rb"/Type\s{0,9}/Page(?![A-Za-z])")
_PACKED = (b"/ObjStm", b"/Encrypt")
# pypdf's own limits, narrowed to what files of some thousand pages need. They hold for each stream by itself.
_MOST_OBJECTS = 300_000
_RECOVERY = 1000
_LARGEST_STREAM = 2_000_000
_LIMITS: dict[str, Any] = {
    "zlib_maximum_output_length": _LARGEST_STREAM,
    "zlib_maximum_recovery_input_length": _LARGEST_STREAM // 8,
    "lzw_maximum_output_length": _LARGEST_STREAM // 8,
    "run_length_maximum_output_length": _LARGEST_STREAM,
    "brotli_maximum_output_length": _LARGEST_STREAM,
    "array_based_stream_maximum_output_length": _LARGEST_STREAM,
    "stream_decoding_work_maximum_length": 4 * _LARGEST_STREAM,
    "maximum_declared_stream_length": _LARGEST_STREAM,
    "page_tree_maximum_entries": 20_000,
    "dictionary_maximum_element_count": 5_000,
}
_SECONDS = 0.7  # of processor time, after which no more of a file is read; a thousand pages take a tenth of it
_TAIL = 4096  # where every PDF says where its index is
# What pypdf raises on malformed files, besides its own errors.
_BROKEN = (ArithmeticError, AssertionError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError)


class PdfFacts(NamedTuple):
    """What is known of a PDF.

    Attributes:
        pages: How many pages it has, at most; None where it cannot be told.
        encrypted: Whether it is encrypted, with a password or without.
        locked: Whether it asks for a password before it shows anything; None where it cannot be told.
    """

    pages: int | None
    encrypted: bool = False
    locked: bool | None = False


def pdf_facts(data: bytes, most: int | None) -> PdfFacts:
    """What is known of a PDF.

    Args:
        data: The file.
        most: How many pages it may have; None where that does not matter. The number is exact only beyond it.
    """
    encrypted = b"/Encrypt" in data
    if not encrypted and most is None:
        return PdfFacts(None)
    if not any(word in data for word in _PACKED):
        listed = sum(1 for _ in _PAGE.finditer(data))
        if listed <= (most or 0):
            return PdfFacts(listed)
    return _read(data, encrypted)


class _ExhaustedError(BaseException):
    """A file has kept its reader busy for long enough. pypdf goes on after any `Exception`, so this is none."""


class _Watched(BytesIO):
    """A file that is read for so long and no longer: every step of a reader comes back to its file."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.ends = thread_time() + _SECONDS

    def read(self, size: int | None = -1, /) -> bytes:
        self._check()
        return super().read(size)

    def readline(self, size: int | None = -1, /) -> bytes:
        self._check()
        return super().readline(size)

    def getbuffer(self) -> memoryview:
        self._check()
        return super().getbuffer()

    def _check(self) -> None:
        if thread_time() > self.ends:
            raise _ExhaustedError


def _read(data: bytes, encrypted: bool) -> PdfFacts:
    from pypdf import PdfReader, apply_configuration
    from pypdf.errors import DependencyError, PyPdfError

    unknown = PdfFacts(None, encrypted, None if encrypted else False)
    if b"startxref" not in data[-_TAIL:]:
        return unknown
    try:
        with apply_configuration(**_LIMITS):
            reader = PdfReader(
                _Watched(data), xref_stream_maximum_entries=_MOST_OBJECTS, root_object_recovery_limit=_RECOVERY
            )
            locked = reader.is_encrypted and _is_locked(reader)
            return PdfFacts(None if locked is not False else len(reader.pages), reader.is_encrypted, locked)
    except (DependencyError, PyPdfError, MemoryError, _ExhaustedError, *_BROKEN):
        return unknown


def _is_locked(reader: PdfReader) -> bool | None:
    """Whether an encrypted file asks for a password; None for a cipher that is not installed, or not known."""
    from pypdf import PasswordType
    from pypdf.errors import DependencyError

    try:
        return reader.decrypt("") == PasswordType.NOT_DECRYPTED
    except (DependencyError, NotImplementedError):
        return None
