"""Files that staff send in parts, so that a large one survives a lost connection and a reload."""

from domain.uploads.contents import content_problem
from domain.uploads.rows import (
    MAX_BYTES,
    PART_BYTES,
    NewUpload,
    UploadView,
    begin,
    complete,
    delete_contents,
    expired,
    forget,
    mark_part,
    own_upload,
    path_of,
    report_path,
)

__all__ = [
    "MAX_BYTES",
    "PART_BYTES",
    "NewUpload",
    "UploadView",
    "begin",
    "complete",
    "content_problem",
    "delete_contents",
    "expired",
    "forget",
    "mark_part",
    "own_upload",
    "path_of",
    "report_path",
]
