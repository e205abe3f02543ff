"""PDF files of certificates, rendered on request. None is stored: a name that its holder has removed must
not stay in a folder, and rendering one takes less time than a page."""

from functools import partial

from aiohttp import web

from domain.learning.certificates.certificate_views import CertificateView
from host.documents.printing import Printer


class CertificateFiles:
    """`logo`: address of the shop's, printed if it is a file of this site. `locale`: of dates."""

    def __init__(self, printer: Printer, logo: str, locale: str) -> None:
        self._printer, self._logo, self._locale = printer, logo, locale

    async def get(self, certificate: CertificateView, issuer: str, address: str, student_number: str) -> bytes:
        """`address`: of the certificate's public page. `student_number`: for a name that no font can write.
        Raises PrinterBusy."""
        return await self._printer.render(partial(self._render, certificate, issuer, address, student_number))

    def _render(self, certificate: CertificateView, issuer: str, address: str, student_number: str) -> bytes:
        # ReportLab takes 0.2 s and 20 MB, which hosts are spared until somebody wants a document.
        from host.documents.certificates import certificate_pdf
        from host.images.logo import logo_picture

        sheet = certificate_pdf.Sheet(
            certificate,
            issuer,
            address,
            student_number,
            self._locale,
            logo_picture(self._logo, certificate_pdf.LOGO_PIXELS),
        )
        return certificate_pdf.render(sheet)


CERTIFICATE_FILES = web.AppKey("certificate_files", CertificateFiles)
