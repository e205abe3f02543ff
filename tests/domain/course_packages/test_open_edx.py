"""Courses of Open edX as Studio exports them."""

import json

import pytest

from tests.domain.course_packages.packages import MP4, PDF, PNG, SRT, VTT, Files, olx, only, read, shape, tarred


def unit(folder, blocks, files: Files | None = None):
    return read(folder, olx(blocks, files))


def test_subsections_become_sections_and_units_lessons(tmp_path):
    course = {
        "course/course.xml": '<course url_name="run" org="O" course="C"/>',
        "course/course/run.xml": '<course display_name="Pay"><chapter url_name="a"/><chapter url_name="b"/></course>',
        "course/chapter/a.xml": '<chapter display_name="A"><sequential url_name="s"/>'
        '<sequential url_name="t"/></chapter>',
        "course/chapter/b.xml": '<chapter display_name="Empty"/>',
        "course/sequential/s.xml": '<sequential display_name="Wages"><vertical url_name="v"/></sequential>',
        "course/sequential/t.xml": '<sequential display_name="Staff" visible_to_staff_only="true"/>',
        "course/vertical/v.xml": '<vertical display_name="One"><html url_name="h"/></vertical>',
        "course/html/h.xml": '<html filename="text" display_name="T"/>',
        "course/html/text.html": '<p>Due.</p><img src="/static/a_b.png" alt="A"><a href="/jump_to_id/x">next</a>',
        "course/static/a b.png": PNG,
        "course/about/overview.html": "<p>About</p>",
    }
    package = read(tmp_path, tarred(course))
    assert (package.format, package.title) == ("Open edX (OLX)", "Pay")
    assert shape(package) == {"A: Wages": [("text", "One")]}
    (file,) = package.files.values()
    lesson = only(package)
    assert lesson.body["text"] == f"Due.\n\n![A](/files/{file.sha256})next"
    assert lesson.lost == ("Links into the other system keep their words alone: “next”.",)
    assert package.lost == (
        "“A: Staff” is for staff alone there: it does not come along.",
        "The section “Empty” is empty.",
        "The page about the course does not come along: its texts are written in the course here.",
    )


def test_names_of_older_exports_are_in_the_policy(tmp_path):
    policy = {"course/run": {"display_name": "Old course"}, "chapter/c": {"display_name": "First"}}
    files = {
        "course/course/run.xml": '<course><chapter url_name="c"/></course>',
        "course/chapter/c.xml": '<chapter><sequential url_name="s"/></chapter>',
        "course/policies/run/policy.json": json.dumps(policy),
    }
    package = unit(tmp_path, "<html><p>a</p></html>", files)
    assert (package.title, [*shape(package)]) == ("Old course", ["First: Basics"])


def test_a_course_without_chapters_has_no_lessons(tmp_path):
    files = {
        "course/course.xml": '<course url_name="r"/>',
        "course/course/r.xml": '<course display_name="C"><wiki/></course>',
    }
    assert read(tmp_path, tarred(files)).sections == ()


CHOICE = (
    "<multiplechoiceresponse><label>Due?</label><choicegroup><choice correct='true'>Yes</choice>"
    "<choice correct='false'>No<choicehint>Why?</choicehint></choice></choicegroup></multiplechoiceresponse>"
)


def problem(inner, about="", name="p"):
    return f'<problem url_name="{name}" display_name="P"{about}>{inner}</problem>'


def test_blocks_of_a_unit_become_lessons_in_their_order(tmp_path):
    blocks = (
        "<html><p>Before.</p></html>"
        + problem(CHOICE)
        + problem(CHOICE, name="q")
        + '<html><p>After.</p></html><discussion display_name="Talk"/><poll url_name="x"/>'
    )
    package = unit(tmp_path, blocks)
    assert shape(package) == {"Basics": [("quiz", "Wages"), ("text", "Wages")]}
    quiz, text = package.lessons
    assert (quiz.body["text"], [question["id"] for question in quiz.body["questions"]]) == ("Before.", ["p", "q"])
    assert quiz.lost == ("Hints do not come along: a question here has one explanation.",)
    assert (text.body["text"], text.lost) == (
        "After.",
        ("“Talk” is a discussion: it does not come along.", "“Wages” is a poll: it does not come along."),
    )


SJSON = json.dumps({"start": [1000, 60000], "end": [4000, 90500], "text": ["Good\nmorning.", "Bye."]})
VIDEOS = {
    "captions of Studio": ('<transcript language="en" src="t.srt"/>', {"course/static/t.srt": SRT}),
    "captions of an asset": (
        '<video_asset><transcripts><transcript language_code="en" file_format="srt"/></transcripts></video_asset>',
        {"course/static/asset-en.srt": SRT},
    ),
    "captions of older courses": ("", {"course/static/subs_old.srt.sjson": SJSON}),
}


@pytest.mark.parametrize("name", VIDEOS)
def test_a_video_with_captions_is_one_wherever_they_are(tmp_path, name):
    inner, files = VIDEOS[name]
    blocks = (
        f'<video url_name="x" youtube="1.00:abc_DEF" sub="old" edx_video_id="asset" display_name="Film">{inner}</video>'
    )
    lesson = only(unit(tmp_path, blocks, files))
    (track,) = lesson.tracks
    assert (lesson.kind, lesson.title, track.language, track.text) == ("video", "Film", "en", VTT)
    assert lesson.body["embed"] == {
        "provider": "www.youtube-nocookie.com",
        "url": "https://www.youtube-nocookie.com/embed/abc_DEF",
        "title": "Film",
    }


def test_a_video_of_the_course_is_a_file_of_the_site(tmp_path):
    blocks = (
        '<video url_name="x" display_name="Film" start_time="00:00:10"><source src="/static/film.mp4"/>'
        '<transcript language="de" src="t.srt"/><transcript language="tlh" src="t.srt"/></video>'
    )
    package = unit(tmp_path, blocks, {"course/static/film.mp4": MP4, "course/static/t.srt": SRT})
    lesson = only(package)
    assert (lesson.kind, [file["media_type"] for file in lesson.body["files"]]) == ("video", ["video/mp4"])
    assert [track.language for track in lesson.tracks] == ["de"]
    assert lesson.lost == ("The video “Film” is shown whole, not from 00:00:10 to its end.",)
    assert package.lost == ("Captions in “tlh” do not come along: the shop does not know this language.",)


def test_a_video_without_captions_is_a_link_or_a_file(tmp_path):
    link = only(unit(tmp_path, '<video youtube_id_1_0="abc_DEF" display_name="Film"/>'))
    assert (link.kind, link.body) == ("text", {"text": "[Film](https://www.youtube.com/watch?v=abc_DEF)"})
    assert link.lost == (
        "The video “Film” has no captions in the package, without which no video is shown here: it is a link.",
    )
    file = only(
        unit(tmp_path, '<video display_name="Film"><source src="/static/f.mp4"/></video>', {"course/static/f.mp4": MP4})
    )
    assert (file.kind, file.title) == ("file", "Film")


def test_a_file_that_a_text_links_to_is_a_lesson_after_it(tmp_path):
    html = '<html><p><a href="/asset-v1:O+C+R+type@asset+block@The_paper.pdf">Paper</a></p></html>'
    package = unit(tmp_path, html, {"course/static/The paper.pdf": PDF})
    assert shape(package) == {"Basics": [("text", "Wages"), ("file", "Paper")]}


def quiz(folder, inner, about=""):
    lesson = only(unit(folder, problem(inner, about)))
    return lesson.body["questions"], lesson.body["attempts"], lesson.lost


def boxes(*right, tag="choiceresponse", group="checkboxgroup"):
    rows = "".join(f"<choice correct='{'true' if key in right else 'false'}'>{key}</choice>" for key in "abc")
    return f"<{tag}><label>Which?</label><{group}>{rows}</{group}></{tag}>"


PART = "Several right answers count in part here: the right ones that are chosen, minus the wrong ones."
ANY = "Question 1 (“Which?”) takes any one of 2 answers; here all of them are to be chosen."
CHOICES = {
    "one": (boxes("b", tag="multiplechoiceresponse", group="choicegroup"), "one", ["o2"], ()),
    "any of two": (
        boxes("a", "c", tag="multiplechoiceresponse", group="choicegroup"),
        "several",
        ["o1", "o3"],
        (ANY, PART),
    ),
    "ticks": (boxes("a", "c"), "several", ["o1", "o3"], (PART,)),
    "ticks of which one is right": (boxes("b"), "several", ["o2"], (PART,)),
    "a menu": (
        "<optionresponse><label>Which?</label><optioninput options=\"('a','b')\" correct=\"b\"/></optionresponse>",
        "one",
        ["o2"],
        (),
    ),
    "a menu of elements": (
        "<p>Which?</p><optionresponse><optioninput><option correct='False'>a</option><option correct='True'>b</option>"
        "</optioninput></optionresponse>",
        "one",
        ["o2"],
        (),
    ),
}


@pytest.mark.parametrize("name", CHOICES)
def test_choices_keep_their_right_answers(tmp_path, name):
    inner, kind, right, lost = CHOICES[name]
    (question,), _, said = quiz(tmp_path, inner)
    assert (question["kind"], question["text"], said) == (kind, "Which?", lost)
    assert [option["id"] for option in question["options"] if option["is_right"]] == right


def numerical(answer, tolerance="", more=""):
    row = f'<responseparam type="tolerance" default="{tolerance}"/>' if tolerance else ""
    return f'<numericalresponse answer="{answer}"><label>How much?</label>{row}{more}<textline/></numericalresponse>'


NUMBERS = {
    "exact": (numerical("600"), "600", "0", ()),
    "a tolerance": (numerical("600", "5"), "600", "5", ()),
    "a percentage": (numerical("-50", "0.5%"), "-50", "0.25", ()),
    "a range": (numerical("[5, 8]"), "6.5", "1.5", ()),
    "an open range": (
        numerical("(5, 8]"),
        "6.5",
        "1.5",
        ("Question 1 (“How much?”) takes the ends of (5, 8] here as well.",),
    ),
    "an unknown tolerance": (
        numerical("600", "some"),
        "600",
        "0",
        ("Question 1 (“How much?”) has the tolerance “some”, which is no number: the exact number is asked for.",),
    ),
    "other numbers too": (
        numerical("600", more='<additional_answer answer="700"/>'),
        "600",
        "0",
        ("Question 1 (“How much?”) takes other numbers too: the first one alone comes along.",),
    ),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_keep_their_tolerance(tmp_path, name):
    inner, value, tolerance, lost = NUMBERS[name]
    (question,), _, said = quiz(tmp_path, inner)
    assert (question["kind"], question["value"], question["tolerance"], said) == ("number", value, tolerance, lost)


def words(kind, more=""):
    return f'<stringresponse answer="Net"{kind}><label>What?</label>{more}<textline/></stringresponse>'


BEHIND = {
    "words whose case counts": (words(""), "asks for typed words (“Net”, case counts)"),
    "words in any case": (
        words(' type="ci"', '<additional_answer answer="Net pay"/>'),
        "asks for typed words (“Net”, “Net pay”, in any case)",
    ),
    "patterns": (words(' type="ci regexp"'), "asks for typed words (patterns: “Net”, in any case)"),
    "a formula": ("<formularesponse><label>What?</label></formularesponse>", "asks for a formula"),
    "an unknown kind": ("<newresponse><label>What?</label></newresponse>", "is of a kind that quizzes lack here"),
    "no right answer": (
        boxes().replace("Which?", "What?"),
        "names no right answer",
    ),
    "a number in words": (
        numerical("$x").replace("How much?", "What?"),
        "has “$x” as its answer, which is no plain number",
    ),
}


@pytest.mark.parametrize("name", BEHIND)
def test_what_a_quiz_cannot_ask_stays_behind_and_is_named(tmp_path, name):
    inner, reason = BEHIND[name]
    questions, _, lost = quiz(tmp_path, f"{inner}{CHOICE.replace('<choicehint>Why?</choicehint>', '')}")
    assert len(questions) == 1
    assert lost == (f"Question 1 (“What?”) {reason}: it does not come along.",)


def test_a_problem_that_a_program_computes_stays_behind(tmp_path):
    blocks = problem('<script type="loncapa/python">x = 1</script><numericalresponse answer="$x"/>') + problem(CHOICE)
    lesson = only(unit(tmp_path, blocks))
    assert len(lesson.body["questions"]) == 1
    assert lesson.lost[0] == "The problem “P” is computed by a program: it does not come along."


def test_solutions_attempts_and_points(tmp_path):
    solution = "<solution><p>By law.</p></solution>"
    inner = f"{CHOICE.replace('</multiplechoiceresponse>', solution + '</multiplechoiceresponse>')}"
    (question,), attempts, lost = quiz(tmp_path, inner, ' max_attempts="2" weight="5"')
    assert (question["explanation"], attempts) == ("By law.", 2)
    assert lost[0] == "Every question counts alike here."
    (question,), _, _ = quiz(tmp_path, CHOICE + solution)
    assert question["explanation"] == "By law."


def test_different_attempts_leave_the_quiz_without_a_limit(tmp_path):
    lesson = only(unit(tmp_path, problem(CHOICE, ' max_attempts="2"') + problem(CHOICE, name="q")))
    assert lesson.body["attempts"] is None
    assert "Its questions have different numbers of attempts: the quiz has no limit." in lesson.lost
