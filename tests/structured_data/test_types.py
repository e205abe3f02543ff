"""The structured data of every kind of page against schema-dts: what tsc lets pass, schema.org knows."""

import asyncio
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from config.settings import ROOT
from tests.conftest import missing
from tests.structured_data import write

TSC = ROOT / "node_modules" / ".bin" / "tsc"


@pytest.fixture(scope="module")
def generated(tmp_path_factory, todays_demo) -> str:
    folder = tmp_path_factory.mktemp("structured")
    shutil.copy(todays_demo, folder / todays_demo.name)
    return write.constants(asyncio.run(write.blocks_of_pages(folder)))


def checked(folder: Path, *sources: str) -> subprocess.CompletedProcess[str]:
    """tsc on files of constants, generated0.ts and so on, in a folder of their own, with the project's packages."""
    if not TSC.exists():
        missing("TypeScript (npm ci)")
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    for number, source in enumerate(sources):
        (folder / f"generated{number}.ts").write_text(source, "utf-8")
    shutil.copy(ROOT / "tsconfig.json", folder / "base.json")
    config = (ROOT / "tests" / "structured_data" / "tsconfig.json").read_text("utf-8")
    config = config.replace("../../tsconfig.json", "./base.json").replace("generated.ts", "generated*.ts")
    (folder / "tsconfig.json").write_text(config, "utf-8")
    return subprocess.run([TSC, "--noEmit", "-p", folder], check=False, capture_output=True, text=True, timeout=120)


def one_constant(generated: str, right: str, wrong: str) -> str:
    """The first constant with these words, which are replaced: tsc takes long for each."""
    constant = next(text for text in generated.split("\nexport ")[1:] if right in text)
    (kind,) = re.findall(r"WithContext<(\w+)>", constant)
    imported = f"import type {{ {kind}, WithContext }} from 'schema-dts';"
    return f"{imported}\n\nexport {constant.replace(right, wrong)}"


def test_every_kind_of_page_is_checked(generated):
    for name in ("homeOrganization", "homeWebSite", "homeItemList", "shopItemList", "courseCourse", "itemProduct"):
        assert f"export const {name}: " in generated
    assert generated.count("BreadcrumbList>") == 8


def test_every_block_is_valid_schema_org_and_each_unknown_property_and_value_is_rejected(generated, tmp_path):
    wrong = {
        '"courseMode"': '"courseModus"',
        "https://schema.org/InStock": "https://schema.org/OnTheShelf",
        '"merchantReturnDays": 14': '"returnDays": 14',
    }
    answer = checked(tmp_path, generated, *(one_constant(generated, *change) for change in wrong.items()))
    # tsc finds errors in the three wrong files, and none in the first.
    assert set(re.findall(r"generated(\d)\.ts\(", answer.stdout)) == {"1", "2", "3"}
