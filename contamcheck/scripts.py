"""Words in any script, those that are written without spaces included."""

import re

# Characters that are words of their own: Thai, Lao, Tibetan, Myanmar, Khmer, kana, Han.
SPACELESS = (
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ec0-\u0ec6\u0f40-\u0f6c\u1000-\u102a"
    "\u1780-\u17b3\u3040-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
# Vowel signs and tones of those scripts, which belong to the character before them.
SIGNS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f71-\u0f84"
    "\u0f8d-\u0fbc\u102b-\u103e\u17b4-\u17d3\u3099\u309a"
)
WORD = re.compile(rf"[{SPACELESS}][{SIGNS}]*|[^\s{SPACELESS}]+")


def words(text: str) -> list[re.Match[str]]:
    """Words of a text with their places; a character each where a script puts no spaces between words.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    list of re.Match
        In order; what lies between them is white space.

    Examples
    --------
    >>> [word.group() for word in words("two cups, 小明有12个")]
    ['two', 'cups,', '小', '明', '有', '12', '个']
    """
    return list(WORD.finditer(text))
