"""What is not on sale at its source does not go on sale by an import."""

import pytest

from tests.domain.catalogue_import.reading import read, read_row

STATES = [
    ({"Published": "1"}, "published"),
    ({"Published": "0"}, "draft"),
    ({"Published": "-1"}, "draft"),
    ({"Published": "'-1"}, "draft"),
    ({"Published": "YES"}, "published"),
    ({"published": False}, "draft"),
    ({"published": "2024-05-01"}, "published"),
    ({"published": "perhaps"}, "draft"),
    ({"Published": "1", "Visibility in catalog": "hidden"}, "draft"),
    ({"Published": "1", "Visibility in catalog": "search"}, "published"),
    ({"status": "Active"}, "published"),
    ({"status": "publish"}, "published"),
    ({"status": "archived"}, "retired"),
    ({"status": "private"}, "draft"),
    ({"status": "1"}, "published"),
    ({"status": "mystery"}, "draft"),
    ({"status": "active", "published": "false"}, "draft"),
    ({"retired": "N"}, "published"),
    ({"archived": True}, "retired"),
]


@pytest.mark.parametrize("kind", ["courses", "items"])
@pytest.mark.parametrize(("columns", "state"), STATES, ids=str)
def test_the_state_is_the_most_careful_of_all_columns(tmp_path, kind, columns, state):
    found = read_row(tmp_path, kind, **columns)
    assert [record.status for record in found.records] == [state]
    assert bool(found.doubts) == bool({"perhaps", "hidden", "mystery"}.intersection(columns.values()))


def test_a_state_of_the_file_is_no_default(tmp_path):
    assert "status" not in read_row(tmp_path, published="1").records[0].preserved_fields
    assert "status" in read_row(tmp_path).records[0].preserved_fields


SHOP = (
    "ID,Type,SKU,Name,Published,Visibility in catalog,Short description,Regular price,Sale price,Categories,Parent,"
    "In stock?\n"
    "1,variable,cap,Cap,1,visible,<p>Warm.</p>,,,Wear > Caps,,1\n"
    "2,simple,pen,Pen,0,visible,,3,2,Desk,,1\n"
    "3,simple,ink,Ink,1,hidden,,4,,Desk,,1\n"
    '4,"simple, downloadable, virtual",ebook,Ebook,1,visible,,9,,"Books, Desk",,0\n'
    "5,grouped,set,Set,1,visible,,,,Desk,,1\n"
    "6,external,gift,Gift,1,visible,,7,,Desk,,1\n"
    "7,variation,cap-red,Cap - Red,1,visible,,15,12,,cap,1\n"
    "8,variation,cap-blue,Cap - Blue,1,visible,,14,,,id:1,1\n"
)


def test_the_export_of_a_shop_comes_in_with_its_forms_told_apart(tmp_path):
    found = read(tmp_path, SHOP, "items", preset="woocommerce")
    assert [(record.name, record.status, str(record.list_price), record.category) for record in found.records] == [
        ("Cap", "published", "14.00", "caps"),
        ("Pen", "draft", "3.00", "desk"),
        ("Ink", "draft", "4.00", "desk"),
        ("Ebook", "published", "9.00", "books"),
        ("Set", "draft", "0", "desk"),
        ("Gift", "draft", "7.00", "desk"),
    ]
    assert found.variants == {8: "a variation of cap", 9: "a variation of id:1"}
    assert found.doubts == {
        2: "its price 14.00 is the lowest of its variations",
        4: "Visibility in catalog: hidden from the catalogue of its source, so a draft here",
        6: "has no price of its own, so a draft at 0",
        7: "its source sends buyers to another shop, so a draft here",
    }
    cap, pen, _, ebook, *_ = found.records
    assert (cap.subtitle, cap.sku, pen.sale_price, ebook.fulfilment, ebook.stock) == ("Warm.", "cap", 2, "download", 0)


PRODUCTS = (
    "Handle,Title,Body (HTML),Vendor,Type,Published,Option1 Value,Variant SKU,Variant Grams,Variant Inventory Qty,"
    "Variant Price,Variant Compare At Price,Image Src,Status\n"
    "mug,Mug,<p>Of <b>clay</b></p>,North,Cups,true,Red,m-1,300.0,4,8.00,10.00,a.png,active\n"
    "mug,,,,,,Blue,m-2,300.0,1,8.00,,b.png,\n"
    "mug,,,,,,,,,,,,c.png,\n"
    "bowl,Bowl,,North,Cups,false,Default Title,b-1,500.0,,12.00,,,active\n"
    "jug,Jug,,North,Cups,true,Default Title,j-1,900.0,0,20.00,,,archived\n"
)


def test_variants_and_pictures_of_a_product_are_told_and_no_products(tmp_path):
    found = read(tmp_path, PRODUCTS, "items", preset="shopify")
    assert [(record.slug, record.status, record.description, record.weight_g) for record in found.records] == [
        ("mug", "published", "Of **clay**", 300),
        ("bowl", "draft", "", 500),
        ("jug", "retired", "", 900),
    ]
    assert (found.records[0].list_price, found.records[0].sale_price) == (10, 8)
    assert found.variants == {3: "a variant of mug, line 2", 4: "another picture of mug, line 2"}
