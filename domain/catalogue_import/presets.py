"""The columns of the exports of other programs, so that nobody has to name them: `--from woocommerce`.

A preset names columns that a file may have; what it has beside them is read by the known names. Names are as
`normalised` makes them: lower case, words joined by one underscore. Of several columns of a field the first counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Kind = Literal["courses", "items"]


def _columns(**names: str) -> dict[str, str]:
    """Name -> field. `left_out` is no field: columns that are not read, although their names are known."""
    return {name: field for field, listed in names.items() for name in listed.split()}


@dataclass(frozen=True, eq=False)
class Preset:
    """`kind`: of its rows, where nobody says otherwise. `columns`: normalised name -> our field."""

    label: str
    kind: Kind
    columns: Mapping[str, str]
    # What separates several categories in one cell.
    category_separators: str = ";|"
    # Words at the end of a provider that are none of its name.
    provider_ends: tuple[str, ...] = ()


# The names of WooCommerce's own export, and its translations into Russian, German, French, Spanish, Italian, Dutch and
# Portuguese. A "price" of a list made from its API is that of the day, so the regular one comes first.
_WOOCOMMERCE = _columns(
    source_id="id",
    form="type тип typ tipo",
    sku="sku артикул artikelnummer ugs",
    name="name имя nom nombre nome naam",
    published="published опубликован veröffentlicht publié publicado pubblicato gepubliceerd",
    visibility="visibility_in_catalog catalog_visibility видимость_в_каталоге sichtbarkeit_im_katalog "
    "visibilité_dans_le_catalogue visibilidad_en_el_catálogo visibilità_nel_catalogo "
    "zichtbaarheid_in_catalogus visibilidade_no_catálogo",
    subtitle="short_description краткое_описание короткое_описание kurzbeschreibung description_courte "
    "descripción_corta breve_descrizione korte_beschrijving descrição_curta",
    description="description описание beschreibung descripción descrizione beschrijving descrição",
    in_stock="in_stock stock_status в_наличии наличие vorrätig en_stock en_inventario hay_existencias in_stock_sì "
    "op_voorraad em_estoque",
    stock="stock stock_quantity запасы lager lagerbestand inventario magazzino voorraad estoque",
    weight_kg="weight_kg вес_кг gewicht_kg poids_kg peso_kg gewicht_kg_",
    sale_price="sale_price акционная_цена цена_распродажи angebotspreis tarif_promo precio_rebajado "
    "prezzo_in_offerta actieprijs preço_promocional",
    list_price="regular_price price базовая_цена regulärer_preis tarif_régulier precio_normal prezzo_di_listino "
    "reguliere_prijs preço",
    category="categories категории kategorien catégories categorías categorie categorieën",
    parent="parent parent_id parent_sku родительский übergeordnetes_produkt übergeordnet superior genitore hoofd "
    "ascendente",
    slug="permalink",
    status="status",
    left_out="tax_class is_featured featured attributes position класс_налога steuerklasse classe_de_tva "
    "mis_en_avant clase_de_impuesto",
    published_at="date_created",
)
_SHOPIFY = _columns(
    slug="handle url_handle",
    name="title",
    description="body body_html description",
    category="product_category type product_type category standardized_product_type custom_product_type",
    published="published published_on_online_store",
    status="status",
    sku="variant_sku sku",
    weight_g="variant_grams weight_value_grams",
    stock="variant_inventory_qty variant_inventory_quantity inventory_quantity",
    list_price="variant_price price",
    compare_at_price="variant_compare_at_price compare_at_price",
    left_out="variant_inventory_tracker tags created_at variant_id",
    provider="vendor",
    source_id="id",
    published_at="published_at",
)
# Coursera has no export: these are the names that lists of its courses have, as those of Udemy and edX below.
_COURSERA = _columns(
    provider="course_organization organization partner partners partner_name institution university",
    level="course_difficulty difficulty difficulty_level level course_level",
    enrolled="course_students_enrolled students_enrolled enrolled enrolled_student_count learners_count "
    "number_of_students_enrolled",
    duration="course_time study_time duration course_duration estimated_time time workload schedule",
    name="course_title course_name title name",
    description="course_description description",
    left_out="course_summary course_type coursetype certificate_type course_certificate_type course_skills",
    slug="course_url course_link url link slug",
    source_id="course_id courseid id",
    category="aspect category domain course_category subject",
    language="language course_language",
    list_price="price course_price",
    outcomes="what_you_learn what_you_will_learn",
)
_UDEMY = _columns(
    duration="course_length content_info duration",
    duration_hours="content_duration",
    duration_min="content_length_video content_length_min estimated_content_length",
    level="instructional_level instructional_level_simple level",
    enrolled="num_subscribers subscribers",
    published_at="published_time published_timestamp created",
    slug="course_coupon_url coupon_url course_url url link",
    subtitle="headline",
    name="course_name course_title title",
    source_id="id course_id",
    category="primary_category category subject",
    left_out="primary_subcategory subcategory last_update last_update_date status",
    language="locale locale_simple_english_title language",
    list_price="price_detail_amount price",
    currency="price_detail_currency currency",
    is_paid="is_paid",
    sale_price="discount_price discount_price_amount",
    outcomes="objectives_summary",
    published="is_published",
)
_EDX = _columns(
    level="course_level level difficulty level_type",
    slug="course_link_href course_url url link marketing_url",
    left_out="course_link start start_date end enrollment_start audit_price course_type course_summary",
    provider="course_institution institution school partner owners organization offered_by",
    category="course_category subject subjects primary_subject mitxo_primary_parent",
    name="course_name course_title title name",
    description="course_description description full_description",
    subtitle="short_description summary",
    duration_weeks="estimated_weeks weeks_to_complete course_length duration length time",
    hours_per_week="estimated_hours_per_week course_effort effort student_effort",
    language="course_language language content_language",
    enrolled="n_enrolled enrollment_count recent_enrollment_count",
    source_id="readable_id key course_id course_key",
    published="published",
    status="availability course_status status",
    list_price="verified_price price cost",
)
_MOODLE = _columns(
    name="fullname name",
    left_out="displayname idnumber startdate enddate format",
    source_id="shortname id",
    category="category_idnumber categoryname category_path category",
    subtitle="summary",
    description="description",
    published="visible status",
    archived="archived",
    language="lang",
)

PRESETS: dict[str, Preset] = {
    "woocommerce": Preset("WooCommerce", "items", _WOOCOMMERCE, category_separators=",;|"),
    "shopify": Preset("Shopify", "items", _SHOPIFY),
    "coursera": Preset("Coursera", "courses", _COURSERA),
    "udemy": Preset("Udemy", "courses", _UDEMY),
    "edx": Preset("edX", "courses", _EDX, provider_ends=(" Logo",)),
    "moodle": Preset("Moodle", "courses", _MOODLE),
}


@lru_cache
def columns_of(preset: Preset | None) -> Mapping[str, str]:
    return {} if preset is None else preset.columns
