"""The kinds of jobs, and what each needs of its process."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from adapters.images.process import convert
from adapters.jobs import Kind
from domain.catalogue_import import check_job
from domain.catalogue_import import job as import_job
from domain.coupons import batch_job, forecast_job
from domain.images import job as image_job
from domain.jobs.claims import Claim, JobStep
from domain.money import Currency
from domain.orders.settings import DEFAULT_SETTINGS, OrderSettings
from domain.organisations.people_file import job as people_file_job
from domain.organisations.people_file.job import KIND
from domain.payments.transfers import job as statement_job
from domain.publishing.bulk import job as bulk_job
from domain.uploads import upload_rows

# Kinds that read their file from its first row each time.
KEPT_KINDS = (check_job.KIND,)
# Served by a queue of their own.
IMAGE_KINDS = (image_job.KIND,)


def kinds(files_folder: Path, currency: Currency, orders: OrderSettings = DEFAULT_SETTINGS) -> Mapping[str, Kind]:
    """By the name in the table. `files_folder`: where uploads are. `orders`: by which money settles them."""

    def path_of(claim: Claim) -> Path:
        return upload_rows.path_of(files_folder, int(claim.input["upload_id"]))

    def check(claim: Claim) -> Iterator[JobStep]:
        report = upload_rows.report_path(files_folder, int(claim.input["upload_id"]), claim.id)
        return check_job.steps(claim, path_of(claim), report, currency, datetime.now(UTC))

    def write(claim: Claim) -> Iterator[JobStep]:
        return import_job.steps(claim, path_of(claim), currency, lambda: datetime.now(UTC))

    def picture(claim: Claim) -> Iterator[JobStep]:
        return image_job.steps(claim, path_of(claim), files_folder, convert, datetime.now(UTC))

    def coupons(claim: Claim) -> Iterator[JobStep]:
        return batch_job.steps(claim, datetime.now(UTC))

    def people(claim: Claim) -> Iterator[JobStep]:
        return people_file_job.steps(claim, path_of(claim), lambda: datetime.now(UTC))

    def products(claim: Claim) -> Iterator[JobStep]:
        return bulk_job.steps(claim, lambda: datetime.now(UTC), currency)

    def statement(claim: Claim) -> Iterator[JobStep]:
        return statement_job.steps(claim, path_of(claim), orders, lambda: datetime.now(UTC))

    coupon_jobs = {batch_job.KIND: coupons, forecast_job.KIND: forecast_job.steps}
    by_staff = {**coupon_jobs, check_job.KIND: check, import_job.KIND: write, image_job.KIND: picture}
    return {**by_staff, KIND: people, bulk_job.KIND: products, statement_job.KIND: statement}
