# ruff: noqa: RUF001 words of other scripts look like Latin ones
"""What words of files mean, in lower case and the languages that catalogues are written in."""


def _meaning(**words: str) -> dict[str, str]:
    return {word.strip(): meaning for meaning, listed in words.items() for word in listed.split("|")}


LEVELS = _meaning(
    beginner="beginner|beginners|beginner level|introductory|intro|introduction|basic|basics|elementary|"
    "entry|entry level|novice|foundation|foundational|fundamental|starter|easy|anfänger|einsteiger|"
    "grundlagen|débutant|débutants|principiante|principiantes|básico|iniciante|inicial|base|basis|"
    "początkujący|начальный|начинающий|для начинающих|початковий|初級|初级|入門|入门|초급|مبتدئ",
    intermediate="intermediate|intermediate level|medium|mid|middle|moderate|mittel|fortgeschrittene anfänger|"
    "intermédiaire|intermedio|intermediário|intermédio|średniozaawansowany|gemiddeld|средний|"
    "середній|中級|中级|중급|متوسط",
    advanced="advanced|advanced level|expert|expert level|proficient|professional|hard|difficult|"
    "fortgeschritten|fortgeschrittene|experte|avancé|experto|avanzado|avançado|avanzato|"
    "zaawansowany|gevorderd|продвинутый|просунутий|上級|高级|고급|متقدم",
    all="all|all levels|all level|mixed|mixed level|any|any level|every level|alle|alle stufen|"
    "tous niveaux|tous les niveaux|todos|todos los niveles|todos os níveis|tutti i livelli|"
    "alle niveaus|все уровни|всі рівні|全レベル|所有级别|모든 수준",
)  # fmt: skip

_YES = "true yes y 1 t on x paid ja oui si sì sí sim tak да так wahr vrai verdadero verdadeiro はい 是 ✓ ✔"
_NO = "false no n 0 f off free nein non não nao nee nie нет ні falsch faux falso いいえ 否 gratis gratuit kostenlos"
YES_NO: dict[str, bool] = dict.fromkeys(_YES.split(), True) | dict.fromkeys(_NO.split(), False)

# Words in a column of prices that say that nothing is to pay.
_FREE = (
    "free|free of charge|no charge|gratis|kostenlos|kostenfrei|frei|gratuit|gratuito|gratuita|grátis|livre|bezpłatny|"
    "bezpłatnie|za darmo|darmowy|zdarma|zadarmo|ilmainen|ingyenes|gratuito|ücretsiz|bedava|бесплатно|безкоштовно|"
    "безплатно|δωρεάν|miễn phí|ฟรี|無料|免费|免費|무료|مجاني|مجانا|رایگان|חינם|निःशुल्क|मुफ्त"
)
FREE = frozenset(_FREE.split("|"))

STATUSES = _meaning(
    published="published|publish|active|live|public|open|available|current|ongoing|running|enrolling|"
    "enrolling now|enrollment open|starting soon|upcoming|visible|in stock|instock",
    scheduled="scheduled",
    draft="draft|drafts|unpublished|unlisted|private|pending|pending review|hidden|inactive|disabled|"
    "unavailable|in review|review|future|invisible|trash|password protected",
    retired="retired|archived|archive|ended|closed|discontinued|finished|completed|expired|past|cancelled|"
    "canceled|deleted",
)

# Visibility in the catalogue of a shop: what is found by a link alone, or by the search alone, is not on its shelves.
VISIBILITIES = _meaning(
    visible="visible|catalog|catalogue|search|visible everywhere|shop and search results|shop only|"
    "search results only|public|both|1|yes|true",
    hidden="hidden|none|not visible|not visible individually|invisible|private|0|no|false",
)
# WooCommerce's forms of products, by the first word in its column of types.
FORMS = _meaning(
    simple="simple|virtual|downloadable|subscription|booking|course",
    variable="variable|variable-subscription|configurable",
    variation="variation|variant|subscription_variation|product_variation",
    grouped="grouped|bundle|composite|woosb",
    external="external|affiliate|external/affiliate",
)

# Texts that stand for an empty cell, and what spreadsheets write for a formula that they could not read.
_BLANKS = "null none nan nil n/a na n.a. undefined - -- — – ? tba tbd"
BLANKS = frozenset(_BLANKS.split())
_BROKEN = "#name? #ref! #value! #n/a #div/0! #num! #null! #error! #wert! #bezug! #nom? #¿nombre?"
BROKEN = frozenset(_BROKEN.split())
