"""Operators behind dice, in the ways in which other bots and people write them: put into the grammar's own way."""

from __future__ import annotations

import re

from rules.dice import forms
from rules.dice.written.pieces import Pieces

_EQUAL = {"keep": "k", "explode": "e", "success": "s", "fail": "f", "from": "e"}


class OperatorReader(Pieces):
    """Reads what stands directly behind dice."""

    def _validated(self, found: re.Match[str]) -> bool:
        name = found[1].casefold()
        if name not in {"c", "e", "r", "a", "k"}:
            return False
        category = "" if found[2] in (None, "=") else found[2]
        own = {"c": "s", "e": "e", "r": "ro", "a": "eo", "k": "k"}[name]
        faces = range(int(found[3]), min(int(found[4]), int(found[3]) + 40) + 1) if found[4] else ()
        self._put("".join(f"{own}{face}" for face in faces) or f"{own}{category}{found[3]}")
        self.at = self.ends[-1] = found.end()
        return True

    def _operator(self, found: re.Match[str], *, had_space: bool) -> bool:
        """Write an operator in the grammar's way; False where it is none after all."""
        name, category, digits = found[1].lower(), found[2].lower(), found[3]
        category = forms.COMPARED.get(category, category)
        self.is_equal = found[2] == "="
        text = self.text[found.end() :]
        if name == "!" and not digits and had_space and re.match(r"\s*[^\W\d]", text):
            return False  # 2d6 ! stealth: the words behind it are the reason
        if name == "x" and (digits and not category):
            return False  # so many rolls
        if not digits and category in set("<>") | {">=", "<="} and name in {"kh", "kl", "dh", "dl", "!"}:
            return False
        if not digits and had_space and name[0] != "!" and not self._is_structure(found.end()) and not category:
            return name in {"kh", "kl", "dh", "dl"} and self._put_written(name, "", "", found)
        return self._put_written(name, category, digits, found)

    def _put_written(self, name: str, category: str, digits: str, found: re.Match[str]) -> bool:
        written = self._written(name, category, digits)
        if written is None:
            return False
        self.is_target = self.is_target or name in {"t", "tl"}
        self._put(written)
        self.at = found.end()
        if self.ends:
            self.ends[-1] = self.at
        return True

    def _put(self, written: str) -> None:
        if written and written[0] in forms.PLACED_LAST:
            self._add(written, spaced=False)
        elif written:
            self._insert(len(self.dice) - 1, written) if self._counts_here() else self._add(written, spaced=False)

    def _counts_here(self) -> bool:
        """Say whether successes are counted already: what else is asked of the dice comes before."""
        return bool(self.dice) and self.pieces[-1][0][:1] in tuple("sf") and self.dice[-1] < len(self.pieces) - 1

    def _written(self, name: str, category: str, digits: str) -> str | None:
        last = self.pieces[self.dice[-1]][0] if self.dice else ""
        number, _, sides = last.partition("d")
        form = forms.OPERATORS[name][0 if digits else 1]
        if form is None or (not digits and category) or (category in {"h", "l"} and name[-1] in "hl"):
            return None
        if "{s}" in form and not sides.isdecimal():
            return None
        if name == "d" and (category or int(digits) >= int(number or 1)):
            return None
        if form in {"even", "odd"}:
            if not sides.isdecimal() or int(sides) > 100:
                return None
            return "".join(f"s{face}" for face in range(2 if form == "even" else 1, int(sides) + 1, 2))
        if category and not re.search(r"\{(?:c|ge|le)\}|:", form):
            return None
        if form.endswith(":"):
            return self._several(form[:-1], category, digits, sides)
        return form.format(
            n=digits, c=category, s=sides, ge=category or (">=" if digits != sides else ""), le=category or "<="
        )

    def _several(self, kind: str, category: str, digits: str, sides: str) -> str | None:
        """Write an operator that is read in several ways."""
        chosen = f"{category}{digits}"
        if self.is_equal and kind in _EQUAL:
            return f"{_EQUAL[kind]}{digits}"
        if kind == "keep":
            return f"k{chosen}" if category else self._choose(kind, {"highest": f"kh{digits}", "equal": f"k{digits}"})
        if kind == "reroll":
            chosen = chosen or "1"
            choices = {"once": f"ro{chosen}", "until": f"rr{chosen}"}
            if category in {"<", ">"}:
                choices["most"] = f"rr{category}={digits}"
            elif not category and chosen != "1":
                choices["less"] = f"ro<={chosen}"
            return self._choose(kind, choices)
        if kind == "explode":
            if not (digits or sides.isdecimal()):
                return None
            chosen = chosen or sides
            return f"e{chosen}" if category else self._choose(kind, {"again": f"e{chosen}", "once": f"eo{chosen}"})
        if kind == "from":
            if category in {"<", ">"}:
                return self._choose("above", {"least": f"e{category}={digits}", "more": f"e{category}{digits}"})
            if category or digits == sides:
                return f"e{chosen}"
            return self._choose(kind, {"equal": f"e{digits}", "least": f"e>={digits}"})
        if kind == "compound":
            chosen = chosen or sides
            return self._choose(kind, {"one": f"ec{chosen}", "own": f"e{chosen}"}) if chosen.strip("<>=") else None
        if kind == "x":
            return f"e{chosen}"
        if kind == "fail":
            if category or digits == "1" or self.is_target:
                return f"f{category or '<='}{digits}"
            return self._choose(kind, {"most": f"f<={digits}", "equal": f"f{digits}"})
        if category:
            return f"s{chosen}"
        return self._choose(kind, {"least": f"s>={digits}", "equal": f"s{digits}"})
