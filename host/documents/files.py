"""PDF files of documents, rendered one at a time on request. None is stored: names and addresses that were erased must
not stay in a folder."""

import asyncio
import shutil
from pathlib import Path

from aiohttp import web

from domain.documents.body import Body
from host.resilience.single_flight import SingleFlight


class DocumentFiles:
    """Renders in a thread. `logo`: the shop's, printed if it is a file of this site. `former_folder`: where hosts of
    the build before stored files, which are deleted."""

    def __init__(self, former_folder: Path, logo: str):
        self._logo = logo
        self._one_at_a_time = asyncio.Semaphore(1)
        self._flight = SingleFlight[bytes]()
        shutil.rmtree(former_folder, ignore_errors=True)

    async def get(self, body: Body, digest: str) -> bytes:
        """The file of a document; `digest`: of its body."""
        return await self._flight.run(digest, lambda: self._render(body))

    async def _render(self, body: Body) -> bytes:
        # ReportLab takes 0.2 s and 20 MB, which hosts are spared until somebody wants a document.
        async with self._one_at_a_time:
            return await asyncio.to_thread(_render, body, self._logo)


def _render(body: Body, logo: str) -> bytes:
    from host.documents import pdf
    from host.images.logo import logo_picture

    return pdf.render(body, logo_picture(logo, pdf.LOGO_PIXELS))


DOCUMENT_FILES = web.AppKey("document_files", DocumentFiles)
