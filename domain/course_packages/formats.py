"""What a package is, by its files, and the course that it holds."""

from domain.course_packages import common_cartridge, open_edx
from domain.course_packages.archive import Archive, PackageRefused
from domain.course_packages.package import CoursePackage

UNKNOWN = (
    "This is no course package that can be read here: it has neither an imsmanifest.xml (Common Cartridge) nor a "
    "course.xml (Open edX). Export the course from the other system in one of these forms."
)
_OTHERS = {
    "moodle_backup.xml": "This is a backup of Moodle. Export the course there as a Common Cartridge.",
    "library/library.xml": "This is a content library of Open edX, not a course: it has questions without lessons.",
}


def read(archive: Archive) -> CoursePackage:
    """Raises PackageRefused."""
    if common_cartridge.MANIFEST in archive:
        return common_cartridge.read(archive)
    if (root := open_edx.root_of(archive)) is not None:
        return open_edx.read(archive, root)
    for name, reason in _OTHERS.items():
        if name in archive:
            raise PackageRefused(reason)
    raise PackageRefused(UNKNOWN)
