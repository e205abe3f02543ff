"""Words that the tokenizer treats specially."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Synonyms.
SYNONYMS = {
    "csharp": "c#",
    "fsharp": "f#",
    "cpp": "c++",
    "cplusplus": "c++",
    "dotnet": ".net",
    "golang": "go",
}

# Articles that French, Italian and Catalan attach to the next word: l'entretien is found as entretien.
COMPOUNDS = _words("l d j m t n s c qu lorsqu puisqu jusqu quelqu dell nell sull dall all un gl")

# Words without a subject. They are indexed only in names, and a query needs them only if it has no other words. Left
# out on purpose, since courses are about them: it, us, who, can, will, go, no.
OPTIONAL = _words(
    "a an and are as at be by for from how in is of on or that the this to what with your "
    "course courses class classes training "
    "der die das den dem des und oder fur im mit von zu ein eine einen "
    "el la los las un una unos unas y o del de en para por con "
    "le les du et au aux une pour avec sur dans "
    "do da dos das e os um uma com il lo gli di per"
)
