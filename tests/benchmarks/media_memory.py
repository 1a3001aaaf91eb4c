"""Memory for media: ``python -m tests.benchmarks.media_memory``.

A photo of 100 megapixels is fitted to what a model takes, in a process of its own whose peak tells what that needs
beyond the file itself; and one image of 5 MB is sent to the eight shapes, whose requests are all kept.
"""

import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

from PIL import Image as Pillow
from PIL import ImageChops

from prompt_adapters import PROMPT_ADAPTER_REGISTRY, Image, get_adapter
from prompt_adapters.content.message import Message

MB = 1_000_000
MODELS = ("claude-opus-5", "bedrock/us.anthropic.claude-opus-5", "xai/grok-4")


def save_photo(path: Path, side: int, *, progressive: bool = False) -> None:
    """A square JPEG of soft colours and grain."""
    size = (side, side)
    channels = [Pillow.radial_gradient("L"), Pillow.linear_gradient("L"), Pillow.linear_gradient("L").rotate(90)]
    image = Pillow.merge("RGB", [channel.resize(size) for channel in channels])
    tile = Pillow.effect_noise((1000, 1000), 30).convert("RGB")
    for left in range(0, side, 1000):
        for top in range(0, side, 1000):
            box = (left, top, min(left + 1000, side), min(top + 1000, side))
            grain = tile.crop((0, 0, box[2] - left, box[3] - top))
            image.paste(ImageChops.add(image.crop(box), grain, 1, -128), box)
    image.save(path, "JPEG", quality=85, progressive=progressive)


def memory(what: str) -> int:
    """What this process holds (``VmRSS``) or held at most (``VmHWM``), in bytes.

    The peak that `resource` tells begins with that of the process which started this one.
    """
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith(what)).split()[1]) * 1024


def fit_once(path: str, model: str) -> None:
    """Print the bytes by which the peak of this process grows while a photo is fitted, the seconds, and the notes."""
    from prompt_adapters import adapter_for

    adapter = adapter_for(model)
    adapter.prepare(Message("user", [Image(Pillow.new("RGB", (9000, 1)))]))  # imports what is needed
    image = Image(path)
    before, started = memory("VmRSS"), time.perf_counter()
    notes = adapter.prepare(Message("user", [image])).notes
    seconds = time.perf_counter() - started
    print(f"{memory('VmHWM') - before} {seconds:.1f} {'; '.join(note.text for note in notes)}")


def fitted(path: Path, model: str) -> tuple[float, float, str]:
    """Bytes, seconds and notes of a photo that is fitted in a new process."""
    command = [sys.executable, "-m", "tests.benchmarks.media_memory", str(path), model]
    answer = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    grown, seconds, notes = answer.strip().split(" ", 2)
    return float(grown), float(seconds), notes


def fitting() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for progressive in (False, True):
            path = Path(folder) / "photo.jpg"
            save_photo(path, 10_000, progressive=progressive)
            kind = "progressive" if progressive else "baseline"
            print(f"\nFitting a {kind} JPEG of 100 megapixels, {path.stat().st_size / MB:.0f} MB (400 MB decoded)")
            for model in MODELS if not progressive else MODELS[:1]:
                grown, seconds, notes = fitted(path, model)
                print(f"  {model:36} {grown / MB:6.0f} MB   x {grown / 4e8:.2f} of its decoded size   {seconds:.1f} s")
                print(f"    {notes}")


def sending() -> None:
    image = Image(b"\x89PNG\r\n\x1a\n" + bytes(5 * MB))
    message = Message("user", ["What is this?", image])
    styles = [style for style in PROMPT_ADAPTER_REGISTRY if style != "litellm_style"]
    adapters = [get_adapter(style, on_limit="send") for style in styles]
    for adapter in adapters:  # imports what is needed
        adapter.build_body(Message("user", ["Hi", Image(b"\x89PNG\r\n\x1a\n")]))
    tracemalloc.start()
    bodies = [adapter.build_body(message) for adapter in adapters]
    now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    text = (5 * MB + 10) // 3 * 4
    print(f"\nOne image of 5 MB in {len(bodies)} requests; its base64 text has {text / MB:.2f} MB")
    print(
        f"  held {now / MB:.2f} MB = {now / text:.2f} texts, at the peak {peak / MB:.2f} MB = {peak / text:.2f} texts"
    )


def main() -> None:
    """Both."""
    sending()
    fitting()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        fit_once(*sys.argv[1:])
    else:
        main()
