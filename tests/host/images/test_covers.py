"""Pictures of products: stored for the demo shop, generated for all others."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from artwork import imported
from artwork.covers import DEMO_PICTURES, picture

SEED = Path("domain/seed")


def demo_products() -> list[tuple[str, str, str, int]]:
    courses = {file.stem: json.loads(file.read_text("utf-8")) for file in (SEED / "courses").glob("*.json")}
    items = json.loads((SEED / "items.json").read_text("utf-8"))
    return [("course", category, course["slug"], 0) for category, rows in courses.items() for course in rows] + [
        (item["kind"], item["category"], item["slug"], variant)
        for item in items
        for variant in range(item["picture_count"])
    ]


def test_every_product_of_the_demo_shop_has_its_stored_pictures_and_no_other_file_lies_there():
    names = {f"{kind}.{category}.{slug}.{variant}" for kind, category, slug, variant in demo_products()}
    assert set(DEMO_PICTURES) == names


def test_stored_pictures_have_the_size_of_all_pictures_and_refer_to_nothing_outside():
    for name, file in DEMO_PICTURES.items():
        svg = file.read_text("utf-8")
        root = ElementTree.fromstring(svg)
        assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("800", "450", "0 0 800 450"), name
        assert re.findall(r"url\((?!#)|href=\"(?!#)|<script|<style", svg) == [], name


@pytest.mark.parametrize(
    ("category", "scenes"),
    [
        ("web-development", "web"),
        ("technology", "web"),
        ("Tax and duties", "business"),
        ("business", "business"),
        ("graphic-design", "design"),
        ("Audio", "music"),
        ("beekeeping", "abstract"),
        ("", "abstract"),
    ],
)
def test_a_generated_picture_has_a_scene_that_suits_the_category(monkeypatch, category, scenes):
    shown = []
    for name in imported.SCENES:
        monkeypatch.setitem(imported.SCENES, name, (lambda *_, name=name: shown.append(name),))
    picture("course", category, "first-steps")
    assert shown == [scenes]


def test_a_generated_picture_differs_by_address_and_is_always_the_same():
    first, second = (picture("course", "beekeeping", slug) for slug in ("first-steps", "next-steps"))
    assert first != second
    assert picture("course", "beekeeping", "first-steps") == first
