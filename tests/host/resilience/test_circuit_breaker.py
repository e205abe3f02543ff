"""The circuit breaker: open until a probe of our own comes back."""

import asyncio

import pytest

from host.resilience import circuit_breaker as module
from host.resilience.circuit_breaker import CircuitBreaker
from tests.support.waiting import until


class Patient:
    """Something that is ill until it is told to be well."""

    def __init__(self) -> None:
        self.is_well, self.probes = False, 0

    async def probe(self) -> None:
        self.probes += 1
        if not self.is_well:
            raise ConnectionError("still ill")


@pytest.fixture
async def patient(monkeypatch):
    monkeypatch.setattr(module, "FIRST_RETRY_AFTER_S", 0.01)
    monkeypatch.setattr(module, "MAX_RETRY_AFTER_S", 0.02)
    return Patient()


@pytest.fixture
async def breaker(patient):
    circuit_breaker = CircuitBreaker("a patient", patient.probe)
    yield circuit_breaker
    await circuit_breaker.close()


async def test_it_is_closed_at_first(breaker, patient):
    assert (breaker.is_open, patient.probes) == (False, 0)


async def test_a_failure_opens_it_once_and_is_logged_once(breaker, caplog):
    for _ in range(3):
        breaker.trip("it fell over")
    assert (breaker.is_open, breaker.trips) == (True, 1)
    assert [record.message for record in caplog.records] == ["the circuit of a patient is open: it fell over"]


async def test_it_closes_when_a_probe_succeeds(breaker, patient):
    breaker.trip("x")
    await until(lambda: patient.probes >= 3)
    assert breaker.is_open
    patient.is_well = True
    await until(lambda: not breaker.is_open)
    breaker.trip("again")
    assert breaker.trips == 2


async def test_monitoring_opens_it_without_a_failed_call(breaker, patient):
    breaker.watch()
    assert (breaker.is_open, breaker.trips) == (True, 0)
    patient.is_well = True
    await until(lambda: not breaker.is_open)


async def test_it_is_starting_from_monitoring_to_the_first_success_and_never_after_a_failure(breaker, patient):
    breaker.watch()
    assert breaker.is_starting
    patient.is_well = True
    await until(lambda: not breaker.is_open)
    patient.is_well = False
    breaker.watch()
    assert (breaker.is_open, breaker.is_starting) == (True, False)


async def test_one_that_a_failure_opened_is_not_starting(breaker):
    breaker.trip("ill")
    assert (breaker.is_open, breaker.is_starting) == (True, False)


async def test_closing_ends_the_probes(breaker, patient):
    breaker.trip("x")
    await until(lambda: patient.probes)
    await breaker.close()
    probes = patient.probes
    await asyncio.sleep(0)
    assert (patient.probes, breaker.is_open) == (probes, False)
