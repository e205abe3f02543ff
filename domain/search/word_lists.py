"""Words the tokenizer treats in a way of their own."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Other names of the same thing.
SAME = {
    "csharp": "c#",
    "fsharp": "f#",
    "cpp": "c++",
    "cplusplus": "c++",
    "dotnet": ".net",
    "golang": "go",
}

# Articles that French, Italian and Catalan tie to the next word: l'entretien is found as entretien.
TIED = _words("l d j m t n s c qu lorsqu puisqu jusqu quelqu dell nell sull dall all un gl")

# Words that say nothing about the subject. They are indexed only where they stand in a name, and a query needs them
# only when it has no other word. Not in it, on purpose: it, us, who, can, will, go, no.
OPTIONAL = _words(
    "a an and are as at be by for from how in is of on or that the this to what with your "
    "course courses class classes training "
    "der die das den dem des und oder fur im mit von zu ein eine einen "
    "el la los las un una unos unas y o del de en para por con "
    "le les du et au aux une pour avec sur dans "
    "do da dos das e os um uma com il lo gli di per"
)
