"""PDF files of documents, rendered on request. None is stored: names and addresses that were erased must not stay in a
folder."""

from functools import partial

from aiohttp import web

from domain.documents.body import Body
from domain.documents.e_invoice import STRUCTURED
from host.documents.printing import Printer
from host.resilience.single_flight import SingleFlight


class DocumentFiles:
    """`logo`: the shop's, printed if it is a file of this site."""

    def __init__(self, printer: Printer, logo: str):
        self._printer, self._logo = printer, logo
        self._flight = SingleFlight[bytes]()

    async def get(self, body: Body, digest: str) -> bytes:
        """The file of a document; `digest`: of its body. Raises PrinterBusy."""
        return await self._flight.run(digest, lambda: self._printer.render(partial(_render, body, self._logo)))


def _render(body: Body, logo: str) -> bytes:
    # ReportLab takes 0.2 s and 20 MB, which hosts are spared until somebody wants a document.
    from host.documents import pdf
    from host.images.logo import logo_picture

    file = pdf.render(body, logo_picture(logo, pdf.LOGO_PIXELS))
    if STRUCTURED not in body:
        return file
    # Half a second and 30 MB more, for documents of businesses alone.
    from host.documents import factur_x

    return factur_x.with_invoice(file, body)


DOCUMENT_FILES = web.AppKey("document_files", DocumentFiles)
