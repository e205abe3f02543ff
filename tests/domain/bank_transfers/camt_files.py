"""Statements in camt.053, made up: accounts, names and numbers of nobody."""

from dataclasses import dataclass

IBAN = "DE89370400440532013000"


@dataclass(frozen=True)
class Booked:
    """An entry. `details`: the elements TxDtls, as text. `number`: of the bank."""

    amount: str
    currency: str = "EUR"
    direction: str = "CRDT"
    is_reversal: bool = False
    status: str = "<Sts><Cd>BOOK</Cd></Sts>"
    number: str = ""
    day: str = "2026-01-12"
    details: str = ""
    info: str = ""

    @property
    def xml(self) -> str:
        reversal = "<RvslInd>true</RvslInd>" if self.is_reversal else ""
        number = f"<AcctSvcrRef>{self.number}</AcctSvcrRef>" if self.number else ""
        details = f"<NtryDtls>{self.details}</NtryDtls>" if self.details else ""
        info = f"<AddtlNtryInf>{self.info}</AddtlNtryInf>" if self.info else ""
        return (
            f'<Ntry><Amt Ccy="{self.currency}">{self.amount}</Amt><CdtDbtInd>{self.direction}</CdtDbtInd>{reversal}'
            f"{self.status}<BookgDt><Dt>{self.day}</Dt></BookgDt>{number}{details}{info}</Ntry>"
        )


def detail(text: str = "", reference: str = "", payer: str = "Northwind", number: str = "", amounts: str = "") -> str:
    refs = f"<Refs><AcctSvcrRef>{number}</AcctSvcrRef></Refs>" if number else ""
    structured = f"<Strd><CdtrRefInf><Ref>{reference}</Ref></CdtrRefInf></Strd>" if reference else ""
    free = f"<Ustrd>{text}</Ustrd>" if text else ""
    return (
        f"<TxDtls>{refs}{amounts}<RltdPties><Dbtr><Pty><Nm>{payer}</Nm></Pty></Dbtr></RltdPties>"
        f"<RmtInf>{structured}{free}</RmtInf></TxDtls>"
    )


def transaction_amount(amount: str, currency: str) -> str:
    return f'<AmtDtls><TxAmt><Amt Ccy="{currency}">{amount}</Amt></TxAmt></AmtDtls>'


def camt(*entries: Booked, iban: str = IBAN, version: str = "08", before: str = "") -> bytes:
    """`before`: what stands before the document, such as a document type."""
    account = f"<Acct><Id><IBAN>{iban}</IBAN></Id></Acct>"
    rows = "".join(entry.xml for entry in entries)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{before}'
        f'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.{version}"><BkToCstmrStmt>'
        f"<Stmt><Id>1</Id>{account}{rows}</Stmt></BkToCstmrStmt></Document>"
    ).encode()
