"""`scripts/test --quick` selects the tests about a changed file, not those of its whole layer."""

from pathlib import Path

import pytest

from scripts import related_tests


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("domain/pricing/engine.py", {"domain/pricing"}),
        ("domain/redaction.py", {"domain/test_redaction.py"}),
        ("tests/domain/test_money.py", {"domain/test_money.py"}),
        ("tests/support/site.py", set()),
        ("README.md", set()),
    ],
)
def test_a_change_selects_its_mirrored_folder_or_the_files_named_after_it(changed, expected):
    found = related_tests.related_tests(Path(changed))
    assert {str(path.relative_to(related_tests.TESTS)) for path in found} >= expected
    assert related_tests.TESTS / "domain" not in found
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(
    "text",
    [
        "from domain import money",
        "from domain.money import Currency",
        "from domain import (\n    errors,\n    money,\n)",
    ],
)
def test_a_change_selects_the_tests_of_every_layer_that_import_it(monkeypatch, tmp_path, text):
    monkeypatch.setattr(related_tests, "TESTS", tmp_path)
    (tmp_path / "test_prices.py").write_text(f"import pytest\n{text}\n")
    (tmp_path / "test_others.py").write_text("from domain import money_text\n")
    assert related_tests.tests_that_import(Path("domain/money.py")) == [tmp_path / "test_prices.py"]
