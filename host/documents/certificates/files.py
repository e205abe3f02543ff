"""PDF files of certificates, rendered one at a time on request. None is stored: a name that its holder has removed must
not stay in a folder, and rendering one takes less time than a page."""

import asyncio

from aiohttp import web

from domain.learning.certificates import CertificateView


class CertificateFiles:
    """Renders in a thread."""

    def __init__(self) -> None:
        self._one_at_a_time = asyncio.Semaphore(1)

    async def get(self, certificate: CertificateView, issuer: str, address: str, student_number: str) -> bytes:
        """`address`: of the certificate's public page. `student_number`: for a name that no font can write."""
        async with self._one_at_a_time:
            return await asyncio.to_thread(_render, certificate, issuer, address, student_number)


def _render(certificate: CertificateView, issuer: str, address: str, student_number: str) -> bytes:
    # ReportLab takes 0.2 s and 20 MB, which hosts are spared until somebody wants a document.
    from host.documents.certificates import certificate_pdf

    return certificate_pdf.render(certificate_pdf.Sheet(certificate, issuer, address, student_number))


CERTIFICATE_FILES = web.AppKey("certificate_files", CertificateFiles)
