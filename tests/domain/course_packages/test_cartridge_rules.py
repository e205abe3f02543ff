"""What we export, by the schemas of Common Cartridge 1.3: of the content package (IMS CP 1.2, with its rules of 2015)
and of assessments (QTI 1.2.1). The order of their elements, and their rules by number, are written here anew.
"""

import re
import zipfile
from xml.etree import ElementTree

import pytest
from sqlalchemy import select, update

from domain.tables import Lesson, LessonBody
from tests.domain.course_packages import test_round_trip
from tests.domain.course_packages.packages import PNG
from tests.domain.course_packages.test_round_trip import add_file, exported

editor, folder, course_id = test_round_trip.editor, test_round_trip.folder, test_round_trip.course_id
# The children of each element, in the order of the schema.
CHILDREN = {
    "manifest": "metadata organizations resources",
    "organizations": "organization",
    "organization": "item",
    "resources": "(resource )*",
    "resource": "(file )*(dependency )*",
    "questestinterop": "assessment",
    "assessment": "qtimetadata (rubric )?section",
    "rubric": "material",
    "section": "(item )+",
    "qtimetadata": "(qtimetadatafield )+",
    "qtimetadatafield": "fieldlabel fieldentry",
    "presentation": "material (response_lid |response_str )",
    "response_lid": "render_choice",
    "response_str": "render_fib",
    "render_choice": "(response_label )*",
    "response_label": "material",
    "resprocessing": "outcomes (respcondition )+",
    "outcomes": "decvar",
    "respcondition": "conditionvar (setvar )*(displayfeedback )*",
    "conditionvar": "(and |other |varequal )+",
    "and": "(not |varequal )+",
    "not": "(varequal )+",
    "itemfeedback": "flow_mat",
    "flow_mat": "material",
    "material": "mattext",
}
ITEMS = {"package": "(title )?(item )*", "assessment": "itemmetadata presentation resprocessing (itemfeedback )?"}
ASSESSMENT = "imsqti_xmlv1p2/imscc_xmlv1p3/assessment"


@pytest.fixture
def names(session, course_id, folder, tmp_path):
    """The cartridge of a course whose quiz has a picture and seven attempts: its XML by name."""
    picture = add_file(session, folder, PNG + b"\0", "rates.png", "image/png")
    quiz = session.scalars(select(LessonBody).join(Lesson).where(Lesson.kind == "quiz")).one()
    body = {**quiz.body, "text": f"![The rates](/files/{picture})", "attempts": 7}
    session.execute(update(LessonBody).where(LessonBody.lesson_id == quiz.lesson_id).values(body=body))
    session.expire_all()
    with zipfile.ZipFile(exported(session, course_id, folder, tmp_path)) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    return {name: ElementTree.fromstring(text) for name, text in found.items() if name.endswith(".xml")} | {
        "files": found.keys()
    }


def local(element):
    return element.tag.partition("}")[2]


def quizzes(names):
    return [root for name, root in names.items() if name.startswith("quizzes/")]


def test_every_element_has_the_children_of_the_schema_in_their_order(names):
    for kind, root in [("package", names["imsmanifest.xml"]), *(("assessment", root) for root in quizzes(names))]:
        for element in root.iter():
            expected = ITEMS[kind] if local(element) == "item" else CHILDREN.get(local(element))
            if expected is not None:
                children = "".join(f"{local(child)} " for child in element)
                pattern = expected if expected.endswith((" ", "*", "+", "?", ")")) else f"{expected} "
                assert re.fullmatch(pattern, children), (local(element), children)


def test_identifiers_are_unique_names_and_every_reference_has_one(names):
    root = names["imsmanifest.xml"]
    known = [element.get("identifier") for element in root.iter() if element.get("identifier")]
    assert len({*known}) == len(known)
    assert all(re.fullmatch(r"[A-Za-z_][\w.-]*", name) for name in known)
    assert {ref for element in root.iter() if (ref := element.get("identifierref"))} <= {*known}


def test_the_resources_keep_the_rules_of_the_package(names):
    resources = [element for element in names["imsmanifest.xml"].iter() if local(element) == "resource"]
    files = {each.get("identifier"): [f.get("href") for f in each if local(f) == "file"] for each in resources}
    of_quizzes = [each for each in resources if each.get("type") == ASSESSMENT]
    # 3b and 3c: an assessment has one file, and no address of its own. 9a: no file twice. 10b: its address is a file.
    assert [(len(files[each.get("identifier")]), each.get("href")) for each in of_quizzes] == [(1, None)]
    assert [key for key, listed in files.items() if len({*listed}) < len(listed)] == []
    assert [
        each for each in resources if each.get("href") and each.get("href") not in files[each.get("identifier")]
    ] == []
    (needed,) = [child.get("identifierref") for child in of_quizzes[0] if local(child) == "dependency"]
    assert [name.rpartition("/")[2] for name in files[needed]] == ["rates.png"]
    assert {name for listed in files.values() for name in listed} <= {*names["files"]}


def test_the_fields_of_a_quiz_are_those_that_the_schema_knows(names):
    (quiz,) = quizzes(names)
    fields = [[part.text for part in row] for row in quiz.iter() if local(row) == "qtimetadatafield"]
    # 1i: at most five attempts, or no limit. 2b: the kinds of questions.
    assert fields[:4] == [
        ["cc_profile", "cc.exam.v0p1"],
        ["qmd_assessmenttype", "Examination"],
        ["qmd_scoretype", "Percentage"],
        ["cc_maxattempts", "unlimited"],
    ]
    kinds = {"cc.multiple_choice.v0p1", "cc.multiple_response.v0p1", "cc.fib.v0p1"}
    assert {entry for label, entry in fields[4:]} <= kinds
    # 5e, 6c: what is compared is the answer. 12c: what is shown is there. 13a: no question twice.
    items = [element for element in quiz.iter() if local(element) == "item"]
    assert len({item.get("ident") for item in items}) == len(items)
    assert {part.get("respident") for part in quiz.iter() if local(part) == "varequal"} == {"answer"}
    for item in items:
        shown = {part.get("linkrefid") for part in item.iter() if local(part) == "displayfeedback"}
        assert shown == {part.get("ident") for part in item.iter() if local(part) == "itemfeedback"}
