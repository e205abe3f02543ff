"""Files that staff send in parts, so that a large one survives a lost connection and a reload."""

from domain.uploads.contents import content_problem
from domain.uploads.rows import (
    MAX_BYTES,
    PART_BYTES,
    NewUpload,
    UploadView,
    WholePart,
    begin,
    complete,
    delete_contents,
    expired,
    forget,
    own_upload,
    path_of,
    report_path,
    take_part,
    try_path,
)

__all__ = [
    "MAX_BYTES",
    "PART_BYTES",
    "NewUpload",
    "UploadView",
    "WholePart",
    "begin",
    "complete",
    "content_problem",
    "delete_contents",
    "expired",
    "forget",
    "own_upload",
    "path_of",
    "report_path",
    "take_part",
    "try_path",
]
