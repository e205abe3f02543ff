"""HTML of a package as Markdown of a lesson: pictures of the package stay, its files become attachments, and what a
lesson does not have is named."""

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

from domain import html_markdown
from domain.course_packages.package import UsedFiles
from domain.text_direction import isolated

# Where a reference of the package leads: a file of the archive, an address of the web, or None for what stays behind.
Resolve = Callable[[str], "Target | None"]
_UNSEEN = [
    *("script", "style", "link", "meta", "title", "head", "template", "noscript"),
    *("button", "input", "select", "textarea", "canvas", "svg"),
]
_PLAYERS = {"iframe": "embedded page", "video": "video", "audio": "sound", "object": "object", "embed": "object"}
_WEB = ("http", "https", "mailto")
# TeX between the signs that MathJax looks for.
_FORMULA = re.compile(r"\\\(.+?\\\)|\\\[.+?\\\]|\$\$.+?\$\$|\[mathjax", re.DOTALL)
_HTML = re.compile(r"<[a-zA-Z/!]|&[#a-zA-Z]")
MAX_NAMED, MAX_LINKS = 60, 5


@dataclass(frozen=True)
class Target:
    """`path`: of a file in the archive; `url`: an address of the web."""

    path: str = ""
    url: str = ""


@dataclass(frozen=True)
class Attachment:
    """A file of the package that a text links to."""

    path: str
    title: str


@dataclass
class Markup:
    """Markdown, the files it links to, and what it lost."""

    text: str
    attachments: list[Attachment] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def to_markup(html: str, resolve: Resolve, files: UsedFiles) -> Markup:
    """Raises PackageRefused for a broken file of the package."""
    soup = html_markdown.parse_html(html)
    body: Any = soup.body or soup
    found = Markup("")
    if _FORMULA.search(body.get_text()):
        found.lost.append("Its formulas are shown as they are typed: lessons draw no TeX.")
    for tag in body.find_all(_UNSEEN):
        tag.decompose()
    _replace_players(soup, body, resolve, found)
    for image in body.find_all("img"):
        _replace_picture(soup, image, resolve, files, found)
    words = [words for link in body.find_all("a") if (words := _replace_link(link, resolve, found))]
    if words:
        named = ", ".join(f"“{_short(each)}”" for each in words[:MAX_LINKS])
        more = f" and {len(words) - MAX_LINKS} more" if len(words) > MAX_LINKS else ""
        found.lost.append(f"Links into the other system keep their words alone: {named}{more}.")
    if body.find("math"):
        found.lost.append("Its formulas (MathML) are shown as their signs, one after the other.")
    if body.find(["form", "details"]):
        found.lost.append("Its form or folded part is shown as plain text.")
    try:
        found.text = html_markdown.markdown_of(body)
    except RecursionError:
        found.lost.append("Its HTML is nested too deep: the words alone come along.")
        found.text = "\n\n".join(body.stripped_strings)
    found.attachments = [each for each in found.attachments if not _is_shown(each, found.text, files)]
    found.lost = list(dict.fromkeys(found.lost))
    return found


def _is_shown(attachment: Attachment, text: str, files: UsedFiles) -> bool:
    """Whether the text shows the file as a picture: a link to the same one says nothing more."""
    picture = files.picture(attachment.path)
    return picture is not None and f"](/files/{picture.sha256})" in text


def has_html(text: str) -> bool:
    return _HTML.search(text) is not None


def resolver(base: str, names: Callable[[str], str | None], own: Callable[[str], Target | None]) -> Resolve:
    """References of a file in the folder `base`. `names`: the name in the archive of a path, None for what is not
    there; `own`: a reference in the words of the format, asked first."""

    def resolve(reference: str) -> Target | None:
        reference = reference.strip()
        if (target := own(reference)) is not None:
            return target
        try:
            parts = urlsplit(reference)
        except ValueError:
            return None
        if parts.scheme in _WEB:
            return Target(url=reference)
        if parts.netloc:
            return Target(url=f"https:{reference}")
        if parts.scheme or not parts.path:
            return None
        path = posixpath.normpath(posixpath.join(base, unquote(parts.path)))
        name = names(path)
        return None if name is None else Target(path=name)

    return resolve


def _replace_players(soup: Any, body: Any, resolve: Resolve, found: Markup) -> None:
    for tag in body.find_all(list(_PLAYERS)):
        if tag.parent is None:
            continue
        what, source = _PLAYERS[tag.name], _source_of(tag)
        target = resolve(source) if source else None
        title = " ".join((tag.get("title") or tag.get("aria-label") or "").split())
        if target is not None and target.url:
            link = soup.new_tag("a", href=_watch_address(target.url))
            link.string = title or target.url
            paragraph = soup.new_tag("p")
            paragraph.append(link)
            tag.replace_with(paragraph)
            found.lost.append(f"The {what} “{_short(title or target.url)}” is a link: lessons embed nothing.")
        elif target is not None:
            found.attachments.append(Attachment(target.path, title))
            tag.decompose()
        else:
            tag.decompose()
            found.lost.append(f"The {what} “{_short(title or source)}” does not come along.")


def _source_of(tag: Any) -> str:
    source = tag.get("src") or tag.get("data") or ""
    if not source:
        inner = tag.find("source")
        source = (inner.get("src") or "") if inner else ""
    return str(source)


_EMBEDDED = re.compile(r"https://www\.youtube(?:-nocookie)?\.com/embed/([\w-]{6,20})")


def _watch_address(url: str) -> str:
    """The page of a video that is embedded by another address."""
    match = _EMBEDDED.match(url)
    return f"https://www.youtube.com/watch?v={match[1]}" if match else url


def _replace_picture(soup: Any, image: Any, resolve: Resolve, files: UsedFiles, found: Markup) -> None:
    alt = " ".join((image.get("alt") or "").split())
    source = image.get("src") or ""
    target = None if source.startswith("data:") else resolve(source)
    file = files.picture(target.path) if target is not None and target.path else None
    if file is not None:
        # Brackets would end the description.
        image.attrs = {"src": f"/files/{file.sha256}", "alt": alt.replace("[", "(").replace("]", ")")}
        return
    name = _short(alt or source.rpartition("/")[2])
    if target is not None and target.url:
        link = soup.new_tag("a", href=target.url)
        link.string = alt or "Picture"
        image.replace_with(link)
        found.lost.append(f"The picture “{isolated(name)}” lies on another site: it is a link.")
        return
    image.replace_with(alt)
    if target is None and source.startswith("data:"):
        reason = "is part of the page, and not a file"
    else:
        reason = "is not in the package" if target is None else "is no PNG, JPEG or WebP"
    found.lost.append(f"The picture “{isolated(name)}” {reason}: its description stays.")


def _replace_link(link: Any, resolve: Resolve, found: Markup) -> str:
    """The words of a link that leads nowhere outside of the other system, else ""."""
    reference = link.get("href") or ""
    words = " ".join(link.get_text().split())
    target = resolve(reference) if reference and not reference.startswith("#") else None
    if target is not None and target.url:
        link.attrs = {"href": target.url}
        return ""
    link.unwrap()
    if target is not None:
        found.attachments.append(Attachment(target.path, words))
        return ""
    return words if reference and not reference.startswith("#") else ""


def _short(text: str) -> str:
    return text if len(text) <= MAX_NAMED else f"{text[: MAX_NAMED - 1]}…"
