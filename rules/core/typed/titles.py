"""The title that an ability begins with if it is pasted whole: `Spore Burst (Recharge 5-6). Each creature …`.

It says nothing of what happens, and is shown; its bracket is a clause of its own. What might be an order, a condition
or a limit is no title.
"""

from __future__ import annotations

import re

_SMALL = r"(?:of|the|and|with|for|in|to|a|an|from|by) "
_WORD = r"[A-Z][\w'’/-]*[a-z]"
_TITLE = re.compile(rf"[\s;]*(?P<name>{_WORD}(?:,? (?:{_SMALL}){{0,2}}{_WORD}){{0,5}})(?P<ends>\.(?= )|(?= ?\())")
_BRACKET = re.compile(r" ?\([^()\n]{1,40}\)[.:](?= )")
_OF_BLOCK = re.compile(
    r" (?:(?:Melee or Ranged|Melee|Ranged) (?:(?:Weapon|Spell|Power) )?Attack(?: Roll)?:|[A-Z][a-z]+ Saving Throw:"
    r"|\+\d+ to hit\b)"
)
_BY_BEARER = re.compile(r" The (?!target|creature|ally|enemy|attack|damage|next|same|spell|effect|area)[a-z-]+ \w")
_SENTENCE = re.compile(r" [A-Z\d][\w'’-]*(?: [\w'’-]+){2}")
# What has a meaning of its own
_SAID = re.compile(
    r"\b(?:actions?|reaction|range|phase|damage|rolls?|saves?|turn|round|any|no|not|only|half|double|once|twice|all|each"
    r"|every|always|never|(?:dis)?advantage|concentration|prone|ends?|immune|targets?|all(?:y|ies)|enem(?:y|ies)|foes?|rounds?|minutes?|hours?"
    r"|(?:standard|full|opportunity|extra|basic|melee|ranged) attacks?)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(  # `Remove a Pip from an Ally.` tells somebody what to do, and `In Sunlight.` when
    r"(?:remove|give|take|lose|gain|heal|cure|push|pull|move|swap|draw|steal|restore|spend|end|deal|put)\b"
    r".* (?:an?|the|one)\b|(?:lose|costs?|spend|gain|pay|suffer|ignores?|requires?|needs?|break"
    r"|knocks|grants|uses|drains|stuns|slows|hurts|inflicts|causes)\b"
    r"|(?:enter|leave|drop|become|stand|regain|recover|expend|sacrifice|equip|discard|heal|teleport)\b"
    r"|(?:if|when|whenever|while|unless|until|during|in|at|on|by|before|after|from|for|to|as|per|within|with|without"
    r"|against|two|three|four|five|six)\b",
    re.IGNORECASE,
)
MULTIATTACK = "Multiattack"
_NOUN = r"(?P<noun>[a-z-]{3,24}(?: [a-z-]{3,24})?)"
_ACTS = re.compile(  # of nobody else it is said under a title
    rf" ?(?:The {_NOUN} (?:adds \d+ to its AC against one|exhales|breathes|spits"
    r"|regains \d+ (?:hit points|HP) at the start of (?:each of )?its turns?)"
    rf"|(?:When|If) the {_NOUN.replace('noun', 'fallen')} (?:dies|drops to 0|is reduced to 0))\b"
)
_MANY = re.compile(rf" ?The {_NOUN} (?:can )?makes?\b")


def title_end(source: str) -> int:
    """Return where the title ends that a text begins with; 0 if it begins with none.

    >>> title_end("Claw. Melee Weapon Attack: +5 to hit"), title_end("Spore Burst (Recharge 5-6). Each creature")
    (5, 11)
    >>> title_end("Prone. The target falls"), title_end("Bonus Action. You gain 5 HP"), title_end("Shift. Then attack")
    (0, 0, 0)
    """
    title = _TITLE.match(source)
    if title is None or _SAID.search(title["name"]) or _ORDER.match(title["name"]):
        return 0
    ends = title.end()
    if not title["ends"]:
        return ends if _BRACKET.match(source, ends) else 0
    is_known = title["name"] == MULTIATTACK or _OF_BLOCK.match(source, ends) or _BY_BEARER.match(source, ends)
    return ends if is_known or (" " in title["name"] and _SENTENCE.match(source, ends)) else 0


def bearer_in(source: str) -> str:
    """Return by what name a text with a title calls the one whose ability it is; empty if that is not certain.

    >>> bearer_in("Multiattack. The frost giant makes two attacks."), bearer_in("The wolf makes two attacks.")
    ('frost giant', '')
    """
    ends = title_end(source)
    if not ends:
        return ""
    is_many = source[:ends].strip(" .;\n\t") == MULTIATTACK
    bracket = _BRACKET.match(source, ends)
    begins = ends if bracket is None else bracket.end()
    named = _MANY.match(source, begins) if is_many else _ACTS.match(source, begins)
    return "" if named is None else next(filter(None, named.groupdict().values()))
