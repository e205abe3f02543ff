"""The check of the image without a container engine, in its short form: files and imports."""

import subprocess
import sys

import pytest

from config.settings import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")


def check(tmp_path, dockerfile: str) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "Dockerfile"
    file.write_text(dockerfile, "utf-8")
    command = [sys.executable, str(ROOT / "scripts" / "check_image.py"), "--quick", "--dockerfile", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_everything_that_runs_is_in_the_image(tmp_path):
    ended = check(tmp_path, DOCKERFILE)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Not checked without a container engine" in ended.stdout


@pytest.mark.parametrize(
    ("line", "other", "error"),
    [
        ("COPY domain domain\n", "", "No module named 'domain'"),
        ("COPY templates templates\n", "COPY template templates\n", "COPY template: no such file"),
        ("COPY templates templates\n", "COPY tests tests\n", "COPY tests: .dockerignore leaves out all of it"),
        ("/src/ssr/dist ssr/dist", "/src/ssr/built ssr/dist", "COPY --from=build /src/ssr/built: the build does not"),
    ],
)
def test_what_is_missing_in_the_image_is_named(tmp_path, line, other, error):
    assert line in DOCKERFILE
    ended = check(tmp_path, DOCKERFILE.replace(line, other))
    assert ended.returncode == 1
    assert error in ended.stderr
