"""Files as responses."""

import re

from aiohttp import hdrs, web
from aiohttp.abc import AbstractStreamWriter

from host.http.compression import accepted_encodings

# Several ranges and other units than bytes may be answered with the whole file (RFC 9110, 14.2).
_ONE_RANGE = re.compile(r"bytes=(?:[0-9]+-[0-9]*|-[0-9]+)")


class FileResponse(web.FileResponse):
    """A file, or the compressed one beside it if the client accepts its encoding; all of it where `Range` names not one
    range of bytes. aiohttp 3.14 answers such a `Range` with 416, and takes an encoding of weight 0 for one that is
    accepted."""

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        headers = request.headers.copy()
        if hdrs.ACCEPT_ENCODING in headers:
            headers[hdrs.ACCEPT_ENCODING] = ", ".join(sorted(accepted_encodings(headers[hdrs.ACCEPT_ENCODING])))
        if not _ONE_RANGE.fullmatch(headers.get(hdrs.RANGE, "")):
            headers.popall(hdrs.RANGE, None)
        return await super().prepare(request.clone(headers=headers))
