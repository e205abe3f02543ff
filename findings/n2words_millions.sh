#!/bin/sh
# n2words 4.0.0 (npm): amounts of money in words.
#
# Expected: a noun that is counted in millions has a preposition before it in Spanish ("un millón de euros": Diccionario panhispánico
#   de dudas, "millón"), French ("un million d'euros": Dictionnaire de l'Académie française, "million"), Italian ("un milione di
#   euro": Vocabolario Treccani, "milione") and Portuguese ("um milhão de euros"); with a smaller number after it, it has none.
# Happens: `toCurrency` writes none for round millions either: "un millón euros", "un million euros". With a number after the million,
#   and below a million, none is needed.
# For a shop: certificates and contracts state the amount with a mistake in four languages, where the words are what counts.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 n2words@4.0.0

cat > run.mjs <<'END'
for (const language of ["es-ES", "fr-FR", "it-IT", "pt-PT"]) {
  const { toCurrency } = await import(`n2words/${language}`);
  console.log(language, [1_000_000, 2_000_000, 1_500_000, 1_000].map((amount) => toCurrency(amount)).join(" | "));
}
END
node run.mjs > seen

cat > expected <<'END'
es-ES un millón euros | dos millones euros | un millón quinientos mil euros | mil euros
fr-FR un million euros | deux millions euros | un million cinq cent mille euros | mille euros
it-IT un milione euro | due milioni euro | un milione e cinquecentomila euro | mille euro
pt-PT um milhão euros | dois milhões euros | um milhão quinhentos mil euros | mil euros
END
diff expected seen || { echo "n2words_millions: the behaviour has changed" >&2; exit 1; }
cat seen
