"""The names of media types: one canonical spelling, and what file names claim.

The spelling is ``image/jpeg``, ``audio/wav``, ``audio/mpeg``, ``video/quicktime``.
"""

from __future__ import annotations

from prompt_adapters.content.source import is_in_bucket

_ALIASES = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/jfif": "image/jpeg",
    "image/x-png": "image/png",
    "image/apng": "image/png",
    "image/x-ms-bmp": "image/bmp",
    "image/vnd.microsoft.icon": "image/x-icon",
    "image/ico": "image/x-icon",
    "image/tif": "image/tiff",
    "image/svg": "image/svg+xml",
    "image/jpeg2000": "image/jp2",
    "image/jpx": "image/jp2",
    "image/heic-sequence": "image/heic",
    "image/heif-sequence": "image/heif",
    "audio/x-wav": "audio/wav",
    "audio/wave": "audio/wav",
    "audio/vnd.wave": "audio/wav",
    "audio/x-pn-wav": "audio/wav",
    "audio/mp3": "audio/mpeg",
    "audio/mpga": "audio/mpeg",
    "audio/mpeg4": "audio/mp4",
    "audio/x-mp3": "audio/mpeg",
    "audio/mpeg3": "audio/mpeg",
    "audio/x-mpeg": "audio/mpeg",
    "audio/m4a": "audio/mp4",
    "audio/x-m4a": "audio/mp4",
    "audio/x-aac": "audio/aac",
    "audio/x-flac": "audio/flac",
    "audio/x-aiff": "audio/aiff",
    "audio/opus": "audio/ogg",
    "audio/l16": "audio/pcm",
    "video/mov": "video/quicktime",
    "video/avi": "video/x-msvideo",
    "video/msvideo": "video/x-msvideo",
    "video/x-m4v": "video/mp4",
    "video/mpg": "video/mpeg",
    "video/mkv": "video/x-matroska",
    "video/wmv": "video/x-ms-wmv",
    "video/flv": "video/x-flv",
    "video/3gp": "video/3gpp",
    "application/x-pdf": "application/pdf",
    "text/x-markdown": "text/markdown",
    "text/md": "text/markdown",
    "application/csv": "text/csv",
    "text/xml": "application/xml",
}

_GENERIC = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/binary", "*/*"})

BY_SUFFIX = {
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "jpe": "image/jpeg",
    "jfif": "image/jpeg",
    "png": "image/png",
    "apng": "image/png",
    "gif": "image/gif",
    "webp": "image/webp",
    "heic": "image/heic",
    "heif": "image/heif",
    "avif": "image/avif",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "bmp": "image/bmp",
    "ico": "image/x-icon",
    "svg": "image/svg+xml",
    "mpo": "image/jpeg",
    "hif": "image/heic",
    "jp2": "image/jp2",
    "j2k": "image/jp2",
    "jpx": "image/jp2",
    "jxl": "image/jxl",
    "wav": "audio/wav",
    "mp3": "audio/mpeg",
    "mpga": "audio/mpeg",
    "flac": "audio/flac",
    "ogg": "audio/ogg",
    "oga": "audio/ogg",
    "opus": "audio/ogg",
    "aac": "audio/aac",
    "m4a": "audio/mp4",
    "mka": "audio/x-matroska",
    "aif": "audio/aiff",
    "aiff": "audio/aiff",
    "pcm": "audio/pcm",
    "mp4": "video/mp4",
    "m4v": "video/mp4",
    "mov": "video/quicktime",
    "webm": "video/webm",
    "mkv": "video/x-matroska",
    "avi": "video/x-msvideo",
    "mpg": "video/mpeg",
    "mpeg": "video/mpeg",
    "3gp": "video/3gpp",
    "3g2": "video/3gpp2",
    "flv": "video/x-flv",
    "wmv": "video/x-ms-wmv",
    "pdf": "application/pdf",
    "doc": "application/msword",
    "xls": "application/vnd.ms-excel",
    "ppt": "application/vnd.ms-powerpoint",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "rtf": "application/rtf",
    "html": "text/html",
    "htm": "text/html",
    "csv": "text/csv",
    "md": "text/markdown",
    "markdown": "text/markdown",
    "txt": "text/plain",
    "text": "text/plain",
    "log": "text/plain",
    "json": "application/json",
    "xml": "application/xml",
}


def normalize_mime(mime: str) -> str | None:
    """The canonical spelling of a media type, or None for one that says nothing.

    Takes capitals, parameters (``image/png; charset=utf-8``), aliases (``image/jpg``) and bare suffixes (``png``).
    """
    bare = mime.partition(";")[0].strip().lower()
    if "/" not in bare:
        return BY_SUFFIX.get(bare.removeprefix("."))
    return None if bare in _GENERIC else _ALIASES.get(bare, bare)


def mime_from_name(name: str) -> str | None:
    """The media type that a file name or the path of a URL claims, without its query and fragment.

    In a gs or s3 URI ``#`` and ``?`` are characters of the object's name.
    """
    _, is_url, rest = name.partition("://")
    if is_url and not is_in_bucket(name):
        rest = rest.partition("#")[0].partition("?")[0]
    path = rest.partition("/")[2] if is_url else name
    _, dot, suffix = path.rpartition(".")
    return BY_SUFFIX.get(suffix.lower()) if dot else None
