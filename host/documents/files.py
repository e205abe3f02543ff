"""PDF files of documents in VAR_DIR/documents: rendered on the first request, one at a time; the oldest are dropped."""

import asyncio
import hashlib
import logging
from pathlib import Path

from aiohttp import web

from domain.documents.body import Body
from host.resilience.bounded_folder import BoundedFolder
from host.resilience.single_flight import SingleFlight

log = logging.getLogger("coursefront.documents")

MAX_BYTES = 64 * 2**20


class DocumentFiles:
    """Several host processes may share the folder. `logo`: the shop's, printed if it is a file of this site."""

    def __init__(self, folder: Path, logo: str):
        self._logo = logo
        self._folder = BoundedFolder(folder, ".pdf", MAX_BYTES)
        self._one_at_a_time = asyncio.Semaphore(1)
        self._flight = SingleFlight[bytes]()

    async def get(self, body: Body, digest: str) -> bytes:
        """The file of a document, by the digest of its body."""
        return await self._flight.run(digest, lambda: self._get(body, digest))

    async def _get(self, body: Body, digest: str) -> bytes:
        # ReportLab takes 0.2 s and 20 MB, which hosts are spared until somebody wants a document.
        async with self._one_at_a_time:
            return await asyncio.to_thread(_read_or_render, self._folder, body, digest, self._logo)


def _read_or_render(folder: BoundedFolder, body: Body, digest: str, logo: str) -> bytes:
    from host.documents import pdf
    from host.images.logo import logo_picture

    picture = logo_picture(logo, pdf.LOGO_PIXELS)
    # With another logo it is another file.
    look = f"{pdf.LAYOUT_VERSION}-{hashlib.sha256(picture or b'').hexdigest()[:8]}"
    path = folder.folder / digest[:2] / f"{digest}-{look}.pdf"
    try:
        return path.read_bytes()
    except OSError:
        content = pdf.render(body, picture)
    try:
        folder.write(path, content)
    except OSError as error:
        log.warning("the document %s cannot be stored: %s", body["number"], error)
    return content


DOCUMENT_FILES = web.AppKey("document_files", DocumentFiles)
