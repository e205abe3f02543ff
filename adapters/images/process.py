"""Runs convert.py: a process for one picture, with limits for memory and time."""

import json
import logging
import subprocess
import sys
from pathlib import Path

from domain.errors import Refused
from domain.images.image_rows import Rendition

log = logging.getLogger("coursefront.images")

CONVERT = Path(__file__).with_name("convert.py")
# Below the lease of a job, so that no second process begins the same picture meanwhile.
DEADLINE_S = 15.0
TOO_SLOW = "The picture takes too long to read. Save it anew as PNG, JPEG or WebP."
BROKEN = "The picture cannot be read. Save it anew as PNG, JPEG or WebP."


def convert(source: Path, folder: Path, deadline_s: float = DEADLINE_S) -> list[Rendition]:
    """The renditions, whose files are in the folder, the largest first. Raises Refused for a picture that is none, is
    too large, or takes longer than the deadline: the process is killed then."""
    command = [sys.executable, "-I", str(CONVERT), str(source), str(folder)]
    try:
        # Without variables: it needs no secret, and finds none.
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=deadline_s, env={}, check=False
        )
    except subprocess.TimeoutExpired:
        raise Refused(TOO_SLOW) from None
    if done.returncode != 0 or done.stderr:
        words = done.stderr[-500:].decode("utf-8", "replace")
        log.info("the process of a picture ended with %d and wrote: %s", done.returncode, words)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        raise Refused(BROKEN) from None
    if "problem" in answer:
        raise Refused(answer["problem"])
    return [Rendition(folder / size["file"], size["width"], size["height"]) for size in answer["sizes"]]
