"""Common Cartridges as other systems write them."""

import pytest

from domain.course_packages import lesson_parts
from domain.course_packages.archive import PackageRefused
from tests.domain.course_packages.packages import (
    MP4,
    PDF,
    PNG,
    SRT,
    VTT,
    cartridge,
    item,
    only,
    page_cartridge,
    qti_choice,
    qti_equal,
    qti_field,
    qti_points,
    qti_typed,
    quiz_cartridge,
    read,
    resource,
    section,
    shape,
    zipped,
)

PAGE = "<html><head><title>Page &amp; more</title></head><body><p>{}</p></body></html>"


@pytest.mark.parametrize("version", ["1.0.0", "1.1.0", "1.2.0", "1.3.0"])
def test_sections_and_lessons_come_in_their_order(tmp_path, version):
    items = (
        section("Basics", item("One", "a"), section("Deeper", item("Two", "b")))
        + section("Practice", item("Three", "c"))
        + item("Loose", "a")
    )
    resources = "".join(resource(name, "webcontent", f"{name}.html") for name in "abc")
    files = {f"{name}.html": PAGE.format(name) for name in "abc"}
    package = read(tmp_path, cartridge(items, resources, files, version))
    assert (package.format, package.title) == (f"Common Cartridge {version[:3]}", "Payroll")
    assert shape(package) == {
        "Basics": [("text", "One"), ("text", "Two")],
        "Practice": [("text", "Three")],
        "Payroll": [("text", "Loose")],
    }
    assert package.lost == ("The lessons of “Deeper” stand directly in their section.",)


def test_what_no_item_leads_to_comes_in_a_section_of_its_own(tmp_path):
    resources = (
        resource("a", "webcontent", "a.html")
        + resource("b", "webcontent", "b.png")
        + resource("c", "associatedcontent/imscc_xmlv1p1/learning-application-resource", "course_settings/x.xml")
        + resource("d", "associatedcontent/imscc_xmlv1p1/learning-application-resource", "d/task.html")
    )
    files = {"a.html": PAGE.format("a"), "b.png": PNG, "course_settings/x.xml": "<a/>", "d/task.html": PAGE.format("d")}
    package = read(tmp_path, cartridge("", resources, files))
    assert shape(package) == {"Outside of the outline": [("text", "Page & more"), ("text", "Page & more")]}


def test_an_assignment_of_canvas_and_its_other_form_are_one_lesson(tmp_path):
    task = '<assignment><title>T</title><text texttype="text/html">&lt;p&gt;Write.&lt;/p&gt;</text>{}</assignment>'
    task = task.format('<gradable points_possible="10.0">true</gradable>')
    variant = '<resource identifier="b" type="webcontent"><variant identifierref="a"/><file href="b.html"/></resource>'
    resources = resource("a", "assignment_xmlv1p0", "a.xml") + variant
    package = read(tmp_path, cartridge("", resources, {"a.xml": task, "b.html": PAGE.format("Write.")}))
    lesson = only(package)
    assert (lesson.title, lesson.body) == ("T", {"text": "Write."})
    assert lesson.lost == ("Learners cannot hand in anything here: the assignment for 10 points comes as a text.",)


OTHERS = {
    "a link": (
        "imswl_xmlv1p3",
        '<webLink><title>Tables</title><url href="tables.example/a (b)"/></webLink>',
        "[Tables](https://tables.example/a%20%28b%29)",
        ("It is a link to another site.",),
    ),
    "a topic": (
        "imsdt_xmlv1p1",
        '<topic><title>T</title><text texttype="text/html">&lt;b&gt;Why?&lt;/b&gt;</text></topic>',
        "**Why?**",
        ("Learners cannot discuss here: the topic comes as a text.",),
    ),
    "a plain topic": (
        "imsdt_xmlv1p1",
        '<topic><title>T</title><text texttype="text/plain">1. Why?</text></topic>',
        "1\\. Why?",
        ("Learners cannot discuss here: the topic comes as a text.",),
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_links_and_topics_become_texts(tmp_path, name):
    kind, content, text, lost = OTHERS[name]
    lesson = only(
        read(tmp_path, cartridge(section("S", item("A", "r")), resource("r", kind, "r.xml"), {"r.xml": content}))
    )
    assert (lesson.kind, lesson.title, lesson.body, lesson.lost) == ("text", "A", {"text": text}, lost)


LEFT_OUT = {
    "a tool": (
        "imsbasiclti_xmlv1p0",
        "r.xml",
        "<link/>",
        "“A” is a tool of another site (LTI), which lessons here cannot open.",
    ),
    "an empty page": ("webcontent", "r.html", "<p></p>", "“A” is an empty page: it does not come along."),
    "a slide show": ("webcontent", "r.pptx", "PK", f"“A” does not come along: {lesson_parts.NO_FILE}"),
    "broken XML": ("imswl_xmlv1p1", "r.xml", "<a", "“A” does not come along: “r.xml” is not valid XML: "),
    "a link without an address": (
        "imswl_xmlv1p1",
        "r.xml",
        "<a><url href='file:x'/></a>",
        "The link “A” has no address of the web.",
    ),
    "a page that is not there": (
        "webcontent",
        "gone.html",
        None,
        "“A” does not come along: its file is not in the package.",
    ),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_cannot_come_along_is_named_and_the_rest_comes(tmp_path, name):
    kind, path, content, lost = LEFT_OUT[name]
    files = {"b.html": PAGE.format("b")} | ({} if content is None else {path: content})
    resources = resource("r", kind, path) + resource("b", "webcontent", "b.html")
    package = read(tmp_path, cartridge(section("S", item("A", "r"), item("B", "b")), resources, files))
    assert shape(package) == {"S": [("text", "B")]}
    assert len(package.lost) == 1
    assert package.lost[0].startswith(lost)


def test_files_become_lessons_by_what_they_are(tmp_path):
    files = {"a.pdf": PDF, "b.png": PNG, "c.mp4": MP4, "d.mp4": MP4 + b"d", "d.de.srt": SRT}
    resources = "".join(resource(name[0], "webcontent", name) for name in [*files][:4])
    package = read(tmp_path, cartridge(section("S", *(item(name, name) for name in "abcd")), resources, files))
    pdf, png, silent, film = package.lessons
    assert [lesson.kind for lesson in (pdf, png, silent, film)] == ["file", "file", "file", "video"]
    assert pdf.body["sha256"] in package.files
    assert silent.lost == (
        "It has no captions in the package, without which no video is shown here: it comes as a file to download.",
    )
    ((track),) = film.tracks
    assert (track.language, track.text, film.minutes) == ("de", VTT, 2)


def test_a_file_that_a_page_links_to_is_a_lesson_after_it(tmp_path):
    html = '<p><a href="%24IMS-CC-FILEBASE%24/papers/a%20b.pdf?x">The paper</a> <a href="$IMS-CC-FILEBASE$/c.doc">c</a>'
    package = read(tmp_path, page_cartridge(html, {"web_resources/papers/a b.pdf": PDF, "web_resources/c.doc": "x"}))
    page, paper = package.lessons
    assert (page.body["text"], paper.kind, paper.title, paper.is_required) == (
        "The paper c",
        "file",
        "The paper",
        False,
    )
    assert page.lost == (
        "The file “a b.pdf” is a lesson of its own after it.",
        f"The file “c.doc” does not come along: {lesson_parts.NO_FILE}",
    )


@pytest.mark.parametrize(
    "content",
    [
        "<meta charset='iso-8859-1'><p>Übung</p>".encode("latin-1"),
        "<p>Übung</p>".encode("cp1252"),
        "<p>Übung</p>".encode(),
    ],
)
def test_pages_are_read_in_their_encoding(tmp_path, content):
    assert only(read(tmp_path, page_cartridge(content))).body == {"text": "Übung"}


def test_items_that_are_named_alike_have_keys_of_their_own_and_the_next_export_the_same_ones(tmp_path):
    items = section("S", item("A", "r"), item("A", "r"))
    content = cartridge(items, resource("r", "webcontent", "r.html"), {"r.html": PAGE.format("a")})
    first, second = read(tmp_path, content).lessons
    assert first.digest != second.digest
    later = read(tmp_path, cartridge(items, resource("r", "webcontent", "r.html"), {"r.html": "<p>b</p>"}))
    assert [lesson.digest for lesson in later.lessons] == [first.digest, second.digest]


NO_COURSES = {
    "a SCORM package": (
        zipped({"imsmanifest.xml": "<manifest><metadata><schema>ADL SCORM</schema></metadata></manifest>"}),
        "This is a SCORM package, a program rather than texts. Export a Common Cartridge instead.",
    ),
    "another XML": (zipped({"imsmanifest.xml": "<a/>"}), "Its imsmanifest.xml is not the manifest of a course."),
    "a backup of Moodle": (
        zipped({"moodle_backup.xml": "<a/>"}),
        "This is a backup of Moodle. Export the course there as a Common Cartridge.",
    ),
    "a library": (
        zipped({"library/library.xml": "<a/>"}),
        "This is a content library of Open edX, not a course: it has questions without lessons.",
    ),
}


@pytest.mark.parametrize("name", NO_COURSES)
def test_other_packages_say_what_to_export_instead(tmp_path, name):
    content, reason = NO_COURSES[name]
    with pytest.raises(PackageRefused) as raised:
        read(tmp_path, content)
    assert str(raised.value) == reason


def questions(folder, *written, about=""):
    lesson = only(read(folder, quiz_cartridge(*written, about=about)))
    return lesson.body["questions"], lesson.lost


PART = "Several right answers count in part here: the right ones that are chosen, minus the wrong ones."
ANY = "Question 1 (“Which?”) takes any one of 2 answers; here all of them are to be chosen."
# Conditions of points -> the kind, which of a, b, c are right, and what is lost.
RIGHT = {
    "one": (qti_points(qti_equal("b")), "one", "b", ()),
    "all of several": (
        qti_points(f"<and>{qti_equal('a', 'c')}<not>{qti_equal('b')}</not></and>"),
        "several",
        "ac",
        (PART,),
    ),
    "any of several": (qti_points(f"<or>{qti_equal('a', 'c')}</or>"), "several", "ac", (ANY, PART)),
    "two conditions": (qti_points(qti_equal("a")) + qti_points(qti_equal("c")), "several", "ac", (ANY, PART)),
    "the one with the most points": (qti_points(qti_equal("a"), "50") + qti_points(qti_equal("c")), "one", "c", ()),
    "points that add up": (
        qti_points(qti_equal("a"), "50", "Add")
        + qti_points(qti_equal("c"), "50", "Add")
        + qti_points(qti_equal("b"), "-50", "Add"),
        "several",
        "ac",
        (PART,),
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_are_those_with_the_points(tmp_path, name):
    conditions, kind, right, lost = RIGHT[name]
    (question,), said = questions(tmp_path, qti_choice({"a": "A", "b": "B", "c": "C"}, conditions))
    assert (question["id"], question["kind"], question["text"]) == ("q1", kind, "Which?")
    assert [option["id"] for option in question["options"] if option["is_right"]] == [*right]
    assert said == lost


def test_feedback_for_everybody_becomes_the_explanation(tmp_path):
    feedback = '<itemfeedback ident="{}"><flow_mat><material><mattext>{}</mattext></material></flow_mat></itemfeedback>'
    more = feedback.format("general_fb", "By law.") + feedback.format("a_fb", "No.")
    written = qti_choice({"a": "A", "b": "B"}, qti_points(qti_equal("b")), more=more)
    (question,), lost = questions(tmp_path, written)
    assert question["explanation"] == "By law."
    assert lost == ("What it says of single answers does not come along: a question here has one explanation.",)


def test_a_typed_number_is_asked_and_attempts_come_along(tmp_path):
    written = qti_typed("cc.fib.v0p1", qti_points(qti_equal("19.25")))
    package = read(tmp_path, quiz_cartridge(written, about=qti_field("cc_maxattempts", "3")))
    body = only(package).body
    (question,) = body["questions"]
    assert (question["kind"], question["value"], question["tolerance"]) == ("number", "19.25", "0")
    assert body["attempts"] == 3


TYPED = {
    "words": ("cc.fib.v0p1", qti_points(qti_equal("Net", "net pay")), "(“Net”, “net pay”, in any case)"),
    "words whose case counts": ("cc.fib.v0p1", qti_points(qti_equal("Net", case="Yes")), "(“Net”, case counts)"),
    "a pattern": ("cc.pattern_match.v0p1", qti_points(qti_equal("19")), "(“19”, in any case)"),
}


@pytest.mark.parametrize("name", TYPED)
def test_typed_words_stay_behind_with_their_answers_and_their_case(tmp_path, name):
    profile, conditions, answers = TYPED[name]
    _, lost = questions(
        tmp_path, qti_typed(profile, conditions), qti_choice({"a": "A", "b": "B"}, qti_points(qti_equal("b")))
    )
    assert lost == (f"Question 1 (“How much?”) asks for typed words {answers}: it does not come along.",)


def test_a_quiz_of_which_nothing_comes_along_is_no_lesson(tmp_path):
    package = read(tmp_path, quiz_cartridge(qti_typed("cc.essay.v0p1", "")))
    assert (package.sections, package.lost) == (
        (),
        (
            "The quiz “Test” does not come along. Question 1 (“How much?”) asks for a text that a person reads: it "
            "does not come along.",
            "The section “Basics” is empty.",
        ),
    )
