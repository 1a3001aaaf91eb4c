"""What fitting and sending hold in memory, on a small scale; `tests/benchmarks/media_memory.py` has the large one."""

import json
import subprocess
import sys
import tracemalloc
from pathlib import Path

from pictures import encoded, photo
from prompt_adapters import Image, get_adapter
from prompt_adapters.content.message import Message

FIT = """
import json, resource, sys
from pathlib import Path
from PIL import Image as Pillow
from prompt_adapters.content.source import Inline
from prompt_adapters.media.convert import convert_image
from prompt_adapters.media.rules import Bounds
from prompt_adapters.targets import Limits
limits = Limits("T", "", image_types=frozenset({"image/jpeg", "image/png", "image/webp"}))
bounds = Bounds(max_side=int(sys.argv[2]), max_bytes=int(sys.argv[3]))
small = Path(sys.argv[4]).read_bytes()
convert_image(Inline(small, "image/jpeg"), limits, bounds._replace(max_side=50, max_bytes=500))
source = Inline(Path(sys.argv[1]).read_bytes(), "image/jpeg")
def memory(what):  # the peak that `resource` tells begins with that of the process which started this one
    if not Path("/proc/self/status").exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes, where there is no such file
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(what)).split()[1]) * 1024
before = memory("VmRSS")
result = convert_image(source, limits, bounds)
print(json.dumps([memory("VmHWM") - before, list(result.said), len(result.inline.data)]))
"""


def test_fitting_a_large_photo_needs_less_than_two_and_a_half_times_its_pixels(tmp_path: Path) -> None:
    side = 3000
    large, small = tmp_path / "large.jpg", tmp_path / "small.jpg"
    large.write_bytes(encoded(photo((side, side), 20), "JPEG", quality=90))
    small.write_bytes(encoded(photo((100, 100)), "JPEG"))
    command = [sys.executable, "-c", FIT, str(large), str(side * 8 // 10), "1000000", str(small)]
    answer = subprocess.run(command, capture_output=True, check=True, text=True)
    grown, said, size = json.loads(answer.stdout)
    assert "scaled from 3000 x 3000 to 2400 x 2400" in said[0]
    assert size <= 1_000_000
    assert grown < 2.5 * side * side * 4


def test_one_image_for_eight_shapes_is_one_text_of_each_form() -> None:
    image = Image(b"\x89PNG\r\n\x1a\n" + bytes(3_000_000))
    names = "openai openai_responses anthropic google bedrock mistral cohere ollama"
    adapters = [get_adapter(f"{name}_style", on_limit="send") for name in names.split()]
    for adapter in adapters:  # imports what is needed
        adapter.build_body(Message("user", ["Hi", Image(b"\x89PNG\r\n\x1a\n")]))
    tracemalloc.start()
    bodies = [adapter.build_body(Message("user", ["Look", image])) for adapter in adapters]
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    text = 4_000_000
    assert len(bodies) == 8
    assert held < 2.1 * text
    assert peak < 3.3 * text
