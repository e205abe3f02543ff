"""The structured invoice inside a PDF, by Factur-X (ZUGFeRD): the PDF becomes a PDF/A-3 with the XML of EN 16931.

`factur-x` writes the XML. It is embedded here, because the library puts the time of the call into the file, and equal
bodies give equal bytes.
"""

import hashlib
import logging
from datetime import UTC, date, datetime, time
from io import BytesIO
from xml.sax.saxutils import escape

from facturx import xml_check_xsd
from facturx.generate_xml import generate_cii_xml
from PIL import ImageCms
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    ByteStringObject,
    DecodedStreamObject,
    DictionaryObject,
    IndirectObject,
    NameObject,
    NumberObject,
    TextStringObject,
)

from domain.documents import e_invoice
from domain.documents.body import Body, title_of

log = logging.getLogger("coursefront.documents")
# The library logs the parts that its schema refuses, with names and addresses.
logging.getLogger("factur-x").setLevel(logging.CRITICAL + 1)

LEVEL = "en16931"
FILE_NAME = "factur-x.xml"
# Where an ICC profile names the time at which it was made.
_PROFILE_TIME = slice(24, 36)


def with_invoice(file: bytes, body: Body) -> bytes:
    """The PDF with the structured form of its document. The buyer is given the PDF as it is where that cannot be made,
    and the log says why: it is the invoice by itself."""
    try:
        xml = xml_of(body)
    except Exception:
        # The library raises this class for whatever its schema does not allow.
        log.exception("document %s has no structured form", body["number"])
        return file
    return embedded(file, xml, body)


def xml_of(body: Body) -> bytes:
    """The invoice as XML, right by its schema. Raises NotExpressible, and whatever the library does."""
    # The library's own check by Schematron asks a server, and says that all is well where none answers.
    xml: bytes = generate_cii_xml(e_invoice.terms(body), level=LEVEL, check_xsd=False, check_schematron=False)
    xml_check_xsd(xml, flavor="factur-x", level=LEVEL)
    return xml


def embedded(file: bytes, xml: bytes, body: Body) -> bytes:
    """The PDF as PDF/A-3 with the XML: its fonts are embedded already; colours, metadata and the attachment follow."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(file)))
    writer.pdf_header = "%PDF-1.7"
    at = datetime.combine(date.fromisoformat(body["issued_on"]), time(), UTC)
    title = f"{title_of(body['kind'], body['total_minor'])} {body['number']}"
    about = {"/Title": title, "/Author": body["seller"]["name"], "/Subject": title, "/Producer": "pypdf"}
    moment = f"D:{body['issued_on'].replace('-', '')}000000+00'00'"
    writer.metadata = {**about, "/CreationDate": moment, "/ModDate": moment}
    attachment = _attachment(writer, xml, moment)
    root = writer.root_object
    root[NameObject("/AF")] = ArrayObject([attachment])
    names = DictionaryObject({NameObject("/Names"): ArrayObject([TextStringObject(FILE_NAME), attachment])})
    root[NameObject("/Names")] = DictionaryObject({NameObject("/EmbeddedFiles"): names})
    root[NameObject("/OutputIntents")] = ArrayObject([_colours(writer)])
    root[NameObject("/Metadata")] = _stream(
        writer, _metadata(title, body["seller"]["name"], at), {"/Type": "/Metadata", "/Subtype": "/XML"}
    )
    number = ByteStringObject(hashlib.sha256(file + xml).digest()[:16])
    writer._ID = ArrayObject([number, number])
    target = BytesIO()
    writer.write(target)
    return target.getvalue()


def _attachment(writer: PdfWriter, xml: bytes, moment: str) -> IndirectObject:
    # The XML says what the page says: Alternative, which readers in Germany ask for.
    digest = ByteStringObject(hashlib.md5(xml, usedforsecurity=False).digest())
    parameters = {"/CheckSum": digest, "/ModDate": TextStringObject(moment), "/Size": NumberObject(len(xml))}
    about = {"/Type": "/EmbeddedFile", "/Subtype": "/text/xml"}
    stream = _stream(writer, xml, about, compressed=True)
    content = stream.get_object()
    assert isinstance(content, DictionaryObject)  # noqa: S101 a stream has a dictionary
    content[NameObject("/Params")] = DictionaryObject({NameObject(name): value for name, value in parameters.items()})
    files = DictionaryObject({NameObject("/F"): stream, NameObject("/UF"): stream})
    name = TextStringObject(FILE_NAME)
    return writer._add_object(
        DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Filespec"),
                NameObject("/F"): name,
                NameObject("/UF"): name,
                NameObject("/Desc"): TextStringObject("The invoice by EN 16931"),
                NameObject("/AFRelationship"): NameObject("/Alternative"),
                NameObject("/EF"): files,
            }
        )
    )


def _colours(writer: PdfWriter) -> DictionaryObject:
    """What the colours of the pages are: sRGB."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    profile[_PROFILE_TIME] = b"".join(part.to_bytes(2, "big") for part in (2026, 1, 1, 0, 0, 0))
    stream = _stream(writer, bytes(profile), {}, compressed=True)
    content = stream.get_object()
    assert isinstance(content, DictionaryObject)  # noqa: S101 a stream has a dictionary
    content[NameObject("/N")] = NumberObject(3)
    return DictionaryObject(
        {
            NameObject("/Type"): NameObject("/OutputIntent"),
            NameObject("/S"): NameObject("/GTS_PDFA1"),
            NameObject("/OutputConditionIdentifier"): TextStringObject("sRGB"),
            NameObject("/Info"): TextStringObject("sRGB IEC61966-2.1"),
            NameObject("/DestOutputProfile"): stream,
        }
    )


def _stream(writer: PdfWriter, data: bytes, about: dict[str, str], *, compressed: bool = False) -> IndirectObject:
    stream = DecodedStreamObject()
    stream.set_data(data)
    made = stream.flate_encode() if compressed else stream
    made.update({NameObject(name): NameObject(value) for name, value in about.items()})
    return writer._add_object(made)


def _metadata(title: str, author: str, at: datetime) -> bytes:
    """The XMP of a PDF/A-3 of level B, with the schema by which Factur-X names the attachment."""
    moment = at.isoformat(timespec="seconds")
    properties = "".join(
        '<rdf:li rdf:parseType="Resource">'
        f"<pdfaProperty:name>{name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>"
        f"<pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>{text}"
        "</pdfaProperty:description></rdf:li>"
        for name, text in _PROPERTIES.items()
    )
    text = _XMP.format(title=escape(title), author=escape(author), moment=moment, file=FILE_NAME, properties=properties)
    return text.encode()


_PROPERTIES = {
    "DocumentFileName": "The name of the embedded XML document",
    "DocumentType": "The type of the hybrid document in capital letters",
    "Version": "The version of the standard of the embedded XML document",
    "ConformanceLevel": "The conformance level of the embedded XML document",
}
_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:description></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"><pdf:Producer>pypdf</pdf:Producer>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<xmp:CreateDate>{moment}</xmp:CreateDate><xmp:ModifyDate>{moment}</xmp:ModifyDate></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>{properties}</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
<rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">
<fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>{file}</fx:DocumentFileName>
<fx:Version>1.0</fx:Version><fx:ConformanceLevel>EN 16931</fx:ConformanceLevel></rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""
