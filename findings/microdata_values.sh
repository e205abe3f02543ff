#!/bin/sh
# web-auto-extractor 1.0.17 (npm) and microdata-node 2.0.0 (npm) read the same microdata of a course.
#
# Expected: HTML Standard, section 5.2.4 (values): the value of `time` is its `datetime`, of `data` and `meter` their `value`, not the
#   words between the tags. Section 5.2.3: `itemprop` may have several names; the element is then the value of each of them.
# Happens: web-auto-extractor takes the words, so that the course begins "next Tuesday" and costs "about 20 euros", and has one
#   property with the name "provider author". microdata-node has the values, but lists type and name of such an item once for
#   each of its names.
# For a shop: a catalogue collected from partners' pages, or a check of one's own, has no dates and prices with one library, and
#   schools with a doubled name with the other.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 web-auto-extractor@1.0.17 microdata-node@2.0.0

cat > run.cjs <<'END'
const { toJson } = require("microdata-node");
const WebAutoExtractor = require("web-auto-extractor").default;

const page = `<!doctype html><title>Figures</title>
<div itemscope itemtype="https://schema.org/Course">
  <p itemprop="name">Figures</p>
  <time itemprop="startDate" datetime="2026-12-08">next Tuesday</time>
  <data itemprop="price" value="19.99">about 20 euros</data>
  <meter itemprop="ratingValue" value="4.5" max="5">nearly all stars</meter>
  <div itemprop="provider author" itemscope itemtype="https://schema.org/Organization"><b itemprop="name">Example School</b></div>
</div>`;
const [byExtractor] = WebAutoExtractor().parse(page).microdata.Course;
const byNode = toJson(page, { base: "https://shop.example/" }).items[0].properties;
for (const name of ["startDate", "price", "ratingValue"])
  console.log(`${name} | web-auto-extractor: ${byExtractor[name]} | microdata-node: ${byNode[name]}`);
console.log("names | web-auto-extractor:", Object.keys(byExtractor).filter((name) => /provider|author/.test(name)).join(", "));
console.log("names | microdata-node:", Object.keys(byNode).filter((name) => /provider|author/.test(name)).join(", "));
console.log("provider | microdata-node:", JSON.stringify([byNode.provider[0].type, byNode.provider[0].properties.name]));
END
node run.cjs > seen

cat > expected <<'END'
startDate | web-auto-extractor: next Tuesday | microdata-node: 2026-12-08
price | web-auto-extractor: about 20 euros | microdata-node: 19.99
ratingValue | web-auto-extractor: nearly all stars | microdata-node: 4.5
names | web-auto-extractor: provider author
names | microdata-node: provider, author
provider | microdata-node: [["https://schema.org/Organization","https://schema.org/Organization"],["Example School","Example School"]]
END
diff expected seen || { echo "microdata_values: the behaviour has changed" >&2; exit 1; }
cat seen
