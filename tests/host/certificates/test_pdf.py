"""The PDF of a certificate: for its holder alone, in any script."""

from io import BytesIO

import pytest
from pypdf import PdfReader

from host.documents.certificates import certificate_pdf
from tests.host.certificates.issued import CODE, PAGE, issue, revoke
from tests.host.signing import learner
from tests.host.site import ORIGIN

PATH = f"/learning/certificates/{CODE}.pdf"


def text_of(content: bytes) -> str:
    (page,) = PdfReader(BytesIO(content)).pages
    return page.extract_text()


async def test_the_holder_gets_a_page_with_the_code_and_the_address_to_check_it(own_site):
    ada = issue(own_site)
    response = await own_site.get(PATH, **ada.headers)
    assert (response.status, response.content_type) == (200, "application/pdf")
    assert response.headers["Cache-Control"] == "private, no-store"
    content = await response.read()
    (page,) = PdfReader(BytesIO(content)).pages
    assert len(page.images) == 1
    text = text_of(content)
    facts = ("2.5 credits", "1 hr 35 min of lessons")
    for words in ("Ada Lovelace", "VAT basics", f"Code {CODE}", f"{ORIGIN}{PAGE}", "Finish it.", *facts):
        assert words in text.replace("\N{NO-BREAK SPACE}", " ")


async def test_nobody_else_gets_it_and_cannot_tell_whether_it_exists(own_site):
    ada = issue(own_site)
    other = learner(own_site, "Grace Hopper")
    answers = [
        await own_site.get(path, **headers)
        for path in (PATH, PATH.replace(CODE, "unknown"))
        for headers in ({}, other.headers, ada.bearer, ada.cookie)
    ]
    assert {(answer.status, await answer.text()) for answer in answers} == {(404, "404: Not Found")}


async def test_a_revoked_certificate_is_not_printed(own_site):
    ada = issue(own_site)
    revoke(own_site)
    assert (await own_site.get(PATH, **ada.headers)).status == 404


@pytest.mark.parametrize("name", ["Nguyễn Thị Minh Khai", "Ольга Ладыженская", "山田 太郎", "A" * 120])
async def test_names_of_other_scripts_are_printed(own_site, name):
    ada = issue(own_site, holder_name=name)
    response = await own_site.get(PATH, **ada.headers)
    text = text_of(await response.read()).replace("\n", "").replace(" ", "")
    assert name.replace(" ", "") in text


async def test_for_a_name_that_no_font_can_write_the_student_number_stands(own_site, monkeypatch):
    ada = issue(own_site, holder_name="\U000e0301\ue000x")
    assert not certificate_pdf.can_print("\U000e0301\ue000x")
    text = text_of(await (await own_site.get(PATH, **ada.headers)).read())
    assert "Student " in text


@pytest.mark.parametrize(
    ("course", "printed"),
    [("Python 🐍 for beginners", "Python for beginners"), ("✅ Excel", "Excel"), ("🐍", "Course ")],
)
async def test_a_course_is_named_without_signs_that_no_font_has(own_site, monkeypatch, course, printed):
    monkeypatch.setattr("host.images.fonts._machine_fonts", lambda: iter(()))
    ada = issue(own_site, course_name=course, holder_name="Ada 👩\u200d💻 Lovelace")
    text = text_of(await (await own_site.get(PATH, **ada.headers)).read())
    assert (printed in text, "Ada Lovelace" in text) == (True, True)
