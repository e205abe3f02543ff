"""The child process: one picture in, WebP files out. `python -I convert.py SOURCE FOLDER`.

It writes JSON: `sizes`, a list of {file, width, height}, the largest first; or `problem`, a sentence for whoever sent
the picture. It imports nothing of the project, and limits itself before it reads the first byte.
"""

import json
import resource
import sys
import warnings
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageCms

MEMORY_BYTES = 256 * 2**20
CPU_S = 15
MAX_OUTPUT_BYTES = 16 * 2**20
MAX_PIXELS = 24_000_000
FORMATS = ("PNG", "JPEG", "WEBP")
# A JPEG with further pictures: a preview, depth or a gain map of a telephone's camera. Its first is the photograph.
SEVERAL_IN_ONE = "MPO"
MAX_WIDTH = 1600
SMALLER = (800, 400)
# A picture a hundred times as high as wide has no size that a page could show.
MAX_RATIO = 10
QUALITY = 82
# The EXIF tag that says how the camera was held.
ORIENTATION = 0x0112
TRANSPOSITIONS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
TURNED = (5, 6, 7, 8)

TOO_LARGE = f"The picture has more than {MAX_PIXELS // 1_000_000} megapixels. Make it smaller first."
UNREADABLE = "The picture cannot be read. Save it anew as PNG, JPEG or WebP."
ANIMATED = "The picture has several frames. Send a still one."
TOO_LONG = f"One side of the picture is more than {MAX_RATIO} times as long as the other."
TOO_MUCH_MEMORY = "The picture needs too much memory. Make it smaller first, or save it as JPEG."


class Unusable(Exception):
    """The text is the problem."""


def limit_resources() -> None:
    """Also against errors of decoders: what goes beyond ends this process alone."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_OUTPUT_BYTES, MAX_OUTPUT_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def convert(source: Path, folder: Path) -> list[dict[str, object]]:
    """Raises Unusable, and whatever decoders raise for broken files."""
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    try:
        image: Image.Image = Image.open(source, formats=FORMATS)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        raise Unusable(TOO_LARGE) from None
    if image.format != SEVERAL_IN_ONE and getattr(image, "n_frames", 1) != 1:
        raise Unusable(ANIMATED)
    if max(image.size) > MAX_RATIO * min(image.size):
        raise Unusable(TOO_LONG)
    largest = _plain(image)
    widths = [largest.width, *(width for width in SMALLER if width < largest.width)]
    return [_save(largest, width, folder) for width in widths]


def _save(largest: Image.Image, width: int, folder: Path) -> dict[str, object]:
    size = width, max(1, round(largest.height * width / largest.width))
    file = f"{width}.webp"
    largest.resize(size, Image.Resampling.LANCZOS).save(folder / file, "WEBP", quality=QUALITY, method=4)
    return {"file": file, "width": width, "height": size[1]}


def _plain(image: Image.Image) -> Image.Image:
    """The picture at no more than the largest width, in sRGB, the right way up, and nothing but its pixels: no place,
    no camera, no text."""
    orientation, profile = _orientation(image), image.info.get("icc_profile")
    size = _fitting(image.size, is_turned=orientation in TURNED)
    # Decoders of JPEG read at a fraction of the size, so that less memory is needed.
    image.draft("RGB", size)
    image.load()
    image = _of_channels(image).resize(size, Image.Resampling.LANCZOS)
    image = _in_srgb(image, profile)
    if orientation in TRANSPOSITIONS:
        image = image.transpose(TRANSPOSITIONS[orientation])
    plain = Image.new(image.mode, image.size)
    plain.paste(image)
    return plain


def _orientation(image: Image.Image) -> int:
    """How the camera was held; 1 for a picture that does not say it legibly."""
    try:
        return int(image.getexif().get(ORIENTATION, 1))
    except Exception as error:
        sys.stderr.write(f"EXIF is ignored: {type(error).__name__}: {error}\n")
        return 1


def _of_channels(image: Image.Image) -> Image.Image:
    """Without palettes and more than eight bits: in L, RGB or CMYK, or in LA or RGBA with transparency."""
    if image.mode.startswith(("I", "F")):
        image = image.point(lambda value: value / 256).convert("L")
    is_grey = image.mode in ("1", "L", "LA", "La")
    if image.has_transparency_data:
        mode = "LA" if is_grey else "RGBA"
    else:
        mode = "L" if is_grey else "CMYK" if image.mode == "CMYK" else "RGB"
    return image if image.mode == mode else image.convert(mode)


def _in_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """The picture in RGB or RGBA, its colours as its profile means them. Of a profile that cannot be used the picture
    is shown as if it had none."""
    alpha = image.getchannel("A") if image.mode in ("LA", "RGBA") else None
    colours = image.convert(image.mode.removesuffix("A")) if alpha is not None else image
    if profile:
        try:
            colours = _converted(colours, profile)
        except Exception as error:
            sys.stderr.write(f"the colour profile is ignored: {type(error).__name__}: {error}\n")
    plain = colours if colours.mode == "RGB" else colours.convert("RGB")
    if alpha is not None:
        plain.putalpha(alpha)
    return plain


def _converted(colours: Image.Image, profile: bytes) -> Image.Image:
    """Raises PyCMSError, or OSError, for a broken profile and for one of other channels than the picture's."""
    source = ImageCms.ImageCmsProfile(BytesIO(profile))
    if source.profile.xcolor_space.strip() == "RGB" and colours.mode == "L":
        colours = colours.convert("RGB")
    converted = ImageCms.profileToProfile(
        colours,
        source,
        ImageCms.createProfile("sRGB"),
        renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
        outputMode="RGB",
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )
    return colours if converted is None else converted


def _fitting(size: tuple[int, int], *, is_turned: bool) -> tuple[int, int]:
    """The size that is at most MAX_WIDTH wide once it was turned."""
    across = size[1] if is_turned else size[0]
    share = min(1.0, MAX_WIDTH / across)
    return max(1, round(size[0] * share)), max(1, round(size[1] * share))


def main(source: str, folder: str) -> None:
    limit_resources()
    try:
        answer: dict[str, object] = {"sizes": convert(Path(source), Path(folder))}
    except Unusable as error:
        answer = {"problem": str(error)}
    except MemoryError:
        answer = {"problem": TOO_MUCH_MEMORY}
    except Exception as error:
        # Each decoder has exceptions of its own, and a broken file may raise any.
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        answer = {"problem": UNREADABLE}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:3])
