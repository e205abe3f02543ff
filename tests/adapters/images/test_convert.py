"""Pictures of strangers: what is accepted is re-encoded, everything else is refused with a sentence."""

import logging
import resource
import warnings

import pytest
from PIL import Image

from adapters.images import convert as child
from adapters.images import process
from domain.errors import Refused
from domain.uploads.contents import content_problem
from tests.adapters.images.pictures import (
    claimed_png,
    encoded,
    grey_profile,
    ink_profile,
    photo,
    plain,
    wide_profile,
    write,
)

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
SCRIPT = b"<script>alert(1)</script>"


def sizes(folder, content):
    """Width and height of each rendition, as the child says and as its file has it."""
    renditions = process.convert(write(folder, content), folder)
    for rendition in renditions:
        with Image.open(rendition.path) as image:
            assert (image.format, image.size) == ("WEBP", (rendition.width, rendition.height))
    return [(rendition.width, rendition.height) for rendition in renditions]


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: encoded(plain(3200, 1600), "JPEG"), [(1600, 800), (800, 400), (400, 200)]),
        (lambda: encoded(plain(1000, 500), "PNG"), [(1000, 500), (800, 400), (400, 200)]),
        (lambda: encoded(plain(800, 400), "WEBP"), [(800, 400), (400, 200)]),
        (lambda: encoded(plain(10, 10), "PNG"), [(10, 10)]),
        (lambda: encoded(Image.new("I;16", (500, 100), 40_000), "PNG"), [(500, 100), (400, 80)]),
        (lambda: encoded(plain(500, 100).convert("P"), "PNG"), [(500, 100), (400, 80)]),
        (lambda: encoded(plain(500, 100).convert("CMYK"), "JPEG"), [(500, 100), (400, 80)]),
    ],
)
def test_a_picture_becomes_webp_in_up_to_three_widths(tmp_path, make, expected):
    assert sizes(tmp_path, make()) == expected


def test_a_picture_taken_on_its_side_stands_upright_and_says_nothing_of_its_camera(tmp_path):
    rendition = process.convert(write(tmp_path, photo()), tmp_path)[0]
    assert (rendition.width, rendition.height) == (500, 1000)
    with Image.open(rendition.path) as image:
        assert not image.getexif()
        assert image.info.keys().isdisjoint({"exif", "xmp", "icc_profile"})
        top, bottom = (image.convert("RGB").getpixel((250, y)) for y in (100, 900))
    assert (top[0] > 200, bottom[2] > 200) == (True, True)
    assert b"secret" not in rendition.path.read_bytes()


def _jpeg(mode: str, colour, profile: bytes | None, **options) -> bytes:
    return encoded(Image.new(mode, (90, 60), colour), "JPEG", icc_profile=profile, quality=100, **options)


def _png(mode: str, colour, profile: bytes) -> bytes:
    return encoded(Image.new(mode, (90, 60), colour), "PNG", icc_profile=profile)


# What the colours of a picture are in sRGB.
COLOURS = {
    "none": (_jpeg("RGB", (200, 80, 80), None), (200, 80, 80)),
    "of a wide display": (_jpeg("RGB", (200, 80, 80), wide_profile()), (217, 70, 76)),
    "of a wide display, of a grey picture": (_jpeg("L", 128, wide_profile()), (128, 128, 128)),
    "of a wide display, of a palette": (
        encoded(Image.new("RGB", (90, 60), (200, 80, 80)).quantize(4), "PNG", icc_profile=wide_profile()),
        (217, 70, 76),
    ),
    "of a wide display, with transparency": (_png("RGBA", (200, 80, 80, 128), wide_profile()), (217, 70, 76, 128)),
    "of greys": (_jpeg("L", 128, grey_profile()), (188, 188, 188)),
    "of greys, with transparency": (_png("LA", (128, 90), grey_profile()), (188, 188, 188, 90)),
    "of greys, with more than eight bits": (_png("I;16", 128 * 257, grey_profile()), (188, 188, 188)),
    "of inks": (_jpeg("CMYK", (255, 0, 0, 0), ink_profile()), (255, 255, 255)),
    "of inks that the picture has not": (_jpeg("RGB", (200, 80, 80), ink_profile()), (200, 80, 80)),
    "broken": (_jpeg("RGB", (200, 80, 80), wide_profile()[:200]), (200, 80, 80)),
    "no profile at all": (_jpeg("RGB", (200, 80, 80), b"x" * 300), (200, 80, 80)),
}


@pytest.mark.parametrize(("content", "expected"), COLOURS.values(), ids=COLOURS)
def test_a_picture_keeps_the_colours_that_its_profile_means(tmp_path, monkeypatch, content, expected):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", child.MAX_PIXELS)
    with warnings.catch_warnings():
        child.convert(write(tmp_path, content), tmp_path)
    with Image.open(tmp_path / "90.webp") as image:
        assert "icc_profile" not in image.info
        # WebP rounds colours.
        assert image.getpixel((45, 30)) == pytest.approx(expected, abs=3)


def test_a_profile_that_cannot_be_used_is_logged(tmp_path, caplog):
    with caplog.at_level(logging.INFO, "coursefront.images"):
        process.convert(write(tmp_path, _jpeg("RGB", (200, 80, 80), b"x" * 300)), tmp_path)
    assert "the colour profile is ignored" in caplog.text


@pytest.mark.parametrize("orientation", [1, 6])
def test_of_a_photograph_of_several_pictures_the_first_is_taken(tmp_path, orientation):
    """Telephones add a preview, depth or a gain map: Pillow calls the format MPO then."""
    exif = Image.Exif()
    exif[child.ORIENTATION] = orientation
    gain_map = Image.new("L", (250, 125), 90).convert("RGB")
    content = encoded(plain(), "MPO", save_all=True, append_images=[gain_map], exif=exif, icc_profile=wide_profile())
    with Image.open(write(tmp_path, content)) as source:
        assert (source.format, source.n_frames) == ("MPO", 2)
    assert content_problem("image", content) is None
    rendition = process.convert(write(tmp_path, content), tmp_path)[0]
    assert (rendition.width, rendition.height) == ((1000, 500) if orientation == 1 else (500, 1000))
    with Image.open(rendition.path) as image:
        assert image.convert("RGB").getpixel((100, 100)) == pytest.approx((255, 0, 0), abs=12)


def test_a_picture_whose_exif_is_broken_is_shown_as_it_lies(tmp_path):
    content = encoded(plain(), "JPEG", exif=b"Exif\x00\x00MM\x00*\xff\xff\xff\xff" + b"\x01" * 9)
    assert sizes(tmp_path, content)[0] == (1000, 500)


def test_what_hides_behind_a_picture_is_not_in_what_is_shown(tmp_path):
    """A polyglot: an image for one program, a page for another."""
    content = encoded(plain(), "PNG") + SCRIPT
    assert content_problem("image", content) is None
    for rendition in process.convert(write(tmp_path, content), tmp_path):
        assert SCRIPT not in rendition.path.read_bytes()


def test_transparency_stays(tmp_path):
    content = encoded(Image.new("RGBA", (40, 20), (255, 0, 0, 128)), "PNG")
    with Image.open(process.convert(write(tmp_path, content), tmp_path)[0].path) as image:
        assert (image.mode, image.getpixel((0, 0))[3]) == ("RGBA", 128)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: claimed_png(6000, 5000), child.TOO_LARGE),
        (lambda: claimed_png(60_000, 60_000), child.TOO_LARGE),
        (lambda: claimed_png(2**31 - 1, 2**31 - 1), child.TOO_LARGE),
        (lambda: encoded(plain(2000, 100), "PNG"), child.TOO_LONG),
        (lambda: encoded(plain(), "WEBP", save_all=True, append_images=[plain().rotate(90)]), child.ANIMATED),
        (lambda: encoded(plain(), "PNG", save_all=True, append_images=[plain().rotate(90)]), child.ANIMATED),
        (lambda: encoded(plain(), "GIF"), child.UNREADABLE),
        (lambda: encoded(plain(), "TIFF"), child.UNREADABLE),
        (lambda: encoded(plain(), "JPEG")[:500], child.UNREADABLE),
        (lambda: claimed_png(1000, 1000), child.UNREADABLE),
        (lambda: SVG, child.UNREADABLE),
        (lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n", child.UNREADABLE),
        (lambda: b"", child.UNREADABLE),
    ],
)
def test_everything_else_is_refused_with_a_sentence(tmp_path, make, problem):
    with pytest.raises(Refused, match=r"\.$") as refused:
        process.convert(write(tmp_path, make()), tmp_path)
    assert str(refused.value) == problem
    assert list(tmp_path.glob("*.webp")) == []


def test_an_svg_is_no_picture_from_its_first_bytes_on():
    assert content_problem("image", SVG) == "This is not a PNG, JPEG or WebP image."


def test_a_child_that_hangs_is_killed_at_the_deadline(tmp_path):
    with pytest.raises(Refused) as refused:
        process.convert(write(tmp_path, encoded(plain(), "PNG")), tmp_path, deadline_s=0.001)
    assert str(refused.value) == process.TOO_SLOW


def test_the_child_has_no_more_memory_and_time_than_it_may_have(monkeypatch):
    limits = {}
    monkeypatch.setattr(resource, "setrlimit", lambda which, values: limits.update({which: values}))
    child.limit_resources()
    memory, cpu = limits[resource.RLIMIT_AS], limits[resource.RLIMIT_CPU]
    assert (memory, cpu) == ((256 * 2**20, 256 * 2**20), (15, 15))


def test_a_picture_that_needs_more_memory_ends_its_child_alone(tmp_path, monkeypatch):
    """One picture is read with the limit there is, the negative control, and refused with a lower one."""
    content = encoded(plain(4000, 3000), "PNG", compress_level=1)
    assert sizes(tmp_path, content)[0] == (1600, 1200)
    text = process.CONVERT.read_text("utf-8").replace("256 * 2**20", "64 * 2**20")
    (tmp_path / "convert.py").write_text(text, "utf-8")
    monkeypatch.setattr(process, "CONVERT", tmp_path / "convert.py")
    with pytest.raises(Refused, match=r"\.$"):
        process.convert(write(tmp_path, content), tmp_path)
