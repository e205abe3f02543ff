#!/bin/sh
# esbuild 0.28.2, CSS modules (loader `local-css`), one bundle for Node and one for the browser.
#
# Expected: the same component imports the same class of the same file in both bundles, so its markup is the same. That holds
#   without --minify, which is what development runs. The notes of release 0.18.14, which introduced local names, promise that
#   names of different files do not collide; nothing says that a name depends on what else is in the bundle.
# Happens: with --minify names are dealt out by how often they occur in the bundle. Here the heading is `l` in the server's
#   markup and `o` in the browser's sheet, and `o` is another class on the server: each build is right, their meeting is not.
# For a shop: a page rendered by Node has no style, or that of another class, in production alone. React's production build
#   does not report a differing class. See docs/decisions/0007: this shop has plain CSS for that reason.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 esbuild@0.28.2

echo '.heading { color: red } .price { color: blue }' > Card.module.css
echo '.note { color: green }' > Footer.module.css
echo '.title { color: teal }' > Hero.module.css
cat > card.js <<'END'
import card from "./Card.module.css";
import footer from "./Footer.module.css";
export const markup = () => `<h2 class="${card.heading}"></h2><p class="${card.price}"></p><p class="${footer.note}"></p>`;
END
cat > server.js <<'END'
import hero from "./Hero.module.css";
import { markup } from "./card.js";
console.log(`server  ${markup()}, and the hero's title is ${hero.title}`);
END
cat > browser.js <<'END'
import { markup } from "./card.js";
console.log(`browser ${markup()}`);
END
for option in "" --minify; do
    echo "${option:-without --minify}"
    for bundle in server browser; do
        node_modules/.bin/esbuild "$bundle.js" --bundle ${option:+"$option"} --outfile="out/$bundle.js" --log-level=error
        node "out/$bundle.js"
    done
done > seen

cat > expected <<'END'
without --minify
server  <h2 class="Card_heading"></h2><p class="Card_price"></p><p class="Footer_note"></p>, and the hero's title is Hero_title
browser <h2 class="Card_heading"></h2><p class="Card_price"></p><p class="Footer_note"></p>
--minify
server  <h2 class="l"></h2><p class="r"></p><p class="e"></p>, and the hero's title is o
browser <h2 class="o"></h2><p class="r"></p><p class="e"></p>
END
diff expected seen || { echo "esbuild_class_names: the behaviour has changed" >&2; exit 1; }
cat seen
