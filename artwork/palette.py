"""Colours: one family for each group of scenes, and four ways of lighting a scene with it."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

from artwork.svg import Dice, mix

SCHEMES = ("night", "day", "field", "warm")

_FAMILIES: dict[str, tuple[str, str, str, str, str, str]] = {
    # deep, main, soft, paper, accent, second accent
    "business": ("#14264d", "#2f5aa8", "#dbe4f6", "#fbfaf3", "#e9a92c", "#2aa37e"),
    "design": ("#3b1145", "#e0457b", "#ffdbe3", "#fff8f4", "#ffb52e", "#2f6df0"),
    "music": ("#2b1220", "#b5452c", "#f7dcc9", "#fff8ec", "#f0a93a", "#2f8f8a"),
    "web": ("#0d2233", "#0f8a8c", "#cfeeee", "#f5fcfb", "#ff9a4d", "#7a6cf0"),
    "abstract": ("#1f2440", "#5967c9", "#dee2fa", "#fbfaf6", "#ff8b5e", "#3bb8a5"),
}


@dataclass(frozen=True)
class Palette:
    """The colours of one scene, named by what they are used for."""

    deep: str
    main: str
    soft: str
    paper: str
    accent: str
    second: str
    sky: str
    ground: str
    back: str
    front: str
    pop: str
    extra: str
    dark: bool

    @property
    def gold(self) -> str:
        """Return the colour of coins: the main colour in finance, a warm accent elsewhere."""
        red, blue = int(self.main[1:3], 16), int(self.main[5:7], 16)
        return mix(self.main, self.soft, 0.2) if red > 200 and blue < 90 else self.sunny

    @property
    def sunny(self) -> str:
        """Return the warmer and lighter of the two accents."""
        return max(self.accent, self.second, key=lambda c: int(c[1:3], 16) + int(c[3:5], 16) / 2 - int(c[5:7], 16))

    def shade(self, colour: str, share: float = 0.22) -> str:
        """Return a darker tone for a side that faces away from the light."""
        return mix(colour, self.deep, share)

    def lift(self, colour: str, share: float = 0.3) -> str:
        """Return a lighter tone for a side that faces the light."""
        return mix(colour, self.paper, share)


def palette(name: str, scheme: str, dice: Dice) -> Palette:
    """Build the palette of a scene, with a slight turn of the hues for variety."""
    shift = dice.span(-0.03, 0.03)
    deep, main, soft, paper, accent, second = (_turn_hue(c, shift) for c in _FAMILIES[name])
    if dice.chance(0.3):
        accent, second = second, accent
    if scheme == "night":
        roles = (deep, mix(deep, main, 0.4), mix(deep, main, 0.55), mix(main, soft, 0.28), accent, second)
    elif scheme == "day":
        roles = (soft, mix(soft, paper, 0.6), mix(soft, main, 0.3), main, accent, second)
    elif scheme == "field":
        roles = (
            mix(main, soft, 0.12),
            mix(main, deep, 0.32),
            mix(main, soft, 0.3),
            mix(soft, paper, 0.25),
            accent,
            deep,
        )
    else:
        warm = mix(accent, paper, 0.62)
        roles = (warm, mix(accent, paper, 0.82), mix(accent, paper, 0.3), main, second, deep)
    return Palette(deep, main, soft, paper, accent, second, *roles, dark=scheme in ("night", "field"))


def _turn_hue(colour: str, shift: float) -> str:
    """Turn the hue of a colour a little."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, light, strength = colorsys.rgb_to_hls(red, green, blue)
    parts = colorsys.hls_to_rgb((hue + shift) % 1, light, strength)
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)
