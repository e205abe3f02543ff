"""A name server on loopback that knows what a test tells it."""

import socket
import threading
from collections.abc import Mapping, Sequence

import dns.flags
import dns.message
import dns.rcode
import dns.rrset

# Instead of records: the server does not answer.
SILENT = ("silent",)
# Instead of records: it answers that it has failed.
FAILING = ("failing",)


class NameServer:
    """`records`: (name without its last dot, type) -> texts of records; what is not there does not exist. `asked`: the
    names and types of all questions."""

    def __init__(self, records: Mapping[tuple[str, str], Sequence[str]]):
        self.records = dict(records)
        self.asked: list[tuple[str, str]] = []
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.address: tuple[str, int] = self._socket.getsockname()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """The socket's own close would leave the thread waiting."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self.address)
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while True:
            data, sender = self._socket.recvfrom(4096)
            if not data:
                return
            if (answer := self._answer(dns.message.from_wire(data))) is not None:
                self._socket.sendto(answer.to_wire(), sender)

    def _answer(self, query: dns.message.Message) -> dns.message.Message | None:
        question = query.question[0]
        name, kind = question.name.to_text(omit_final_dot=True).lower(), question.rdtype.name
        self.asked.append((name, kind))
        texts = self.records.get((name, kind), ())
        if texts == SILENT:
            return None
        answer = dns.message.make_response(query)
        answer.flags |= dns.flags.RA
        if texts == FAILING:
            answer.set_rcode(dns.rcode.SERVFAIL)
        elif texts:
            answer.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *texts))
        elif name not in {known for known, _ in self.records}:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        return answer
