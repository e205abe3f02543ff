"""The kinds of jobs, and what each needs of its process."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from adapters.images.process import convert
from adapters.jobs import Kind
from domain import uploads
from domain.catalogue_import import check_job
from domain.catalogue_import import job as import_job
from domain.coupons import batch_job
from domain.images import job as image_job
from domain.jobs import Claim, Step
from domain.money import Currency
from domain.organisations import people_file
from domain.publishing import bulk

# Kinds that read their file from its first row each time.
KEPT_KINDS = (check_job.KIND,)
# Served by a queue of their own.
IMAGE_KINDS = (image_job.KIND,)


def kinds(files_folder: Path, currency: Currency) -> Mapping[str, Kind]:
    """By the name in the table. `files_folder`: where uploads are."""

    def path_of(claim: Claim) -> Path:
        return uploads.path_of(files_folder, int(claim.input["upload_id"]))

    def check(claim: Claim) -> Iterator[Step]:
        report = uploads.report_path(files_folder, int(claim.input["upload_id"]), claim.id)
        return check_job.steps(claim, path_of(claim), report, currency, datetime.now(UTC))

    def write(claim: Claim) -> Iterator[Step]:
        return import_job.steps(claim, path_of(claim), currency, lambda: datetime.now(UTC))

    def picture(claim: Claim) -> Iterator[Step]:
        return image_job.steps(claim, path_of(claim), files_folder, convert, datetime.now(UTC))

    def coupons(claim: Claim) -> Iterator[Step]:
        return batch_job.steps(claim, datetime.now(UTC))

    def people(claim: Claim) -> Iterator[Step]:
        return people_file.steps(claim, path_of(claim), lambda: datetime.now(UTC))

    def products(claim: Claim) -> Iterator[Step]:
        return bulk.steps(claim, lambda: datetime.now(UTC))

    by_staff = {batch_job.KIND: coupons, check_job.KIND: check, import_job.KIND: write, image_job.KIND: picture}
    return {**by_staff, people_file.KIND: people, bulk.KIND: products}
