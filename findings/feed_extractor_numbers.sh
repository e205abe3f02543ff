#!/bin/sh
# @extractus/feed-extractor 8.0.3 (npm) and feedsmith 3.0.1 (npm) read the same RSS feed.
#
# Expected: RSS 2.0, guid: a string that identifies the item, of any form, which readers have to treat as a string.
#   A title is text as well.
# Happens: in feed-extractor a guid or title that looks like a number becomes one: 007 is 7, 1.10 is 1.1 and the same as the guid of
#   its neighbour, a course "0815" is "815", "1e3" is "1000". feedsmith has them as they are written; so has
#   feed-extractor with `xmlParserOptions: { parseTagValue: false }`.
# For a shop: courses collected from partners' feeds by their number overwrite each other, and no link to the partner's number
#   finds it again.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 @extractus/feed-extractor@8.0.3 feedsmith@3.0.1

cat > run.mjs <<'END'
import { extractFromXml } from "@extractus/feed-extractor";
import { parseFeed } from "feedsmith";

const items = [["007", "Figures"], ["1.1", "Maps 1"], ["1.10", "Maps 10"], ["a-4", "0815"], ["a-5", "1e3"]];
const feed = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>Courses</title><link>https://shop.example/</link><description>Courses</description>
${items
  .map(([guid, title]) => `<item><guid isPermaLink="false">${guid}</guid><title>${title}</title><link>https://shop.example/${guid}</link></item>`)
  .join("\n")}
</channel></rss>`;
const byExtractor = extractFromXml(feed).entries;
const byFeedsmith = parseFeed(feed).feed.items;
for (const [index, written] of items.entries())
  console.log(
    written.join(" "),
    `| feed-extractor: ${byExtractor[index].id} ${byExtractor[index].title}`,
    `| feedsmith: ${byFeedsmith[index].guid.value} ${byFeedsmith[index].title}`,
  );
END
node run.mjs > seen

cat > expected <<'END'
007 Figures | feed-extractor: 7 Figures | feedsmith: 007 Figures
1.1 Maps 1 | feed-extractor: 1.1 Maps 1 | feedsmith: 1.1 Maps 1
1.10 Maps 10 | feed-extractor: 1.1 Maps 10 | feedsmith: 1.10 Maps 10
a-4 0815 | feed-extractor: a-4 815 | feedsmith: a-4 0815
a-5 1e3 | feed-extractor: a-5 1000 | feedsmith: a-5 1e3
END
diff expected seen || { echo "feed_extractor_numbers: the behaviour has changed" >&2; exit 1; }
cat seen
