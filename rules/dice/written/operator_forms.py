"""Operators after dice, in the ways in which other bots and people write them: put into the grammar's own way."""

from __future__ import annotations

import re

from rules.dice import forms
from rules.dice.written.pieces import Pieces

_VALIDATED = {"c": "s", "e": "e", "r": "ro", "R": "rr", "a": "eo", "k": "k", "f": "f", "ss": "ss"}
_EXPLODES = re.compile(r"e[opc]?[<>=]*\d+")
_KEEPS = re.compile(r"[kp][hl]?\d+")


class OperatorReader(Pieces):
    """Reads what is directly after dice."""

    def _validated(self, match: re.Match[str]) -> None:
        own = _VALIDATED[match[1] if match[1] == "R" else match[1].casefold()]
        for sign, low, high in forms.VALID.findall(match[2]):
            faces = range(int(low), min(int(high), int(low) + 40) + 1) if high else ()
            self._put("".join(f"{own}{face}" for face in faces) or f"{own}{forms.COMPARED.get(sign, sign)}{low}")
        self.at = self.ends[-1] = match.end()

    def _operator(self, match: re.Match[str], *, had_space: bool) -> bool:
        """Write an operator in the grammar's way; False if it is none after all."""
        name, category, digits = match[1].lower(), (match[2] or "").lower(), match[3]
        text = self.text[match.end() :]
        if name == "!" and not digits and had_space and re.match(r"\s*[^\W\d]", text):
            return False  # 2d6 ! stealth: the words after it are the reason
        if name == "x" and digits and not category and not self.text[match.end() : match.end() + 1].isalpha():
            return False  # so many rolls
        if not digits and category in set("<>") | {">=", "<="} and name in {"kh", "kl", "dh", "dl", "!"}:
            return False
        is_loose = had_space and not (digits or category) and name[0] != "!" and not self._is_structure(match.end())
        if is_loose and name not in {"kh", "kl", "dh", "dl"}:
            return False
        written = self._written(name, category, digits)
        if written is None:
            return False
        is_behind = name[0] == "!" and _EXPLODES.fullmatch(written) and _KEEPS.fullmatch(self.pieces[-1][0])
        if is_behind and self._choose("order", {"last": "", "first": written}):
            self.pieces.insert(self.dice[-1] + 1, (written, self.at))
        else:
            self._put(written)
        self.at = match.end()
        if self.ends:
            self.ends[-1] = self.at
        return True

    def _put(self, written: str) -> None:
        if not written:
            return
        if written[0] in forms.PLACED_LAST or not self._counts_here():
            self._add(written, spaced=False)
        else:
            self._insert(len(self.dice) - 1, written)

    def _counts_here(self) -> bool:
        """Say whether successes are counted already: what else is asked of the dice comes before."""
        is_behind = bool(self.dice) and self.dice[-1] < len(self.pieces) - 1
        return is_behind and self.pieces[-1][0][:1] in forms.PLACED_LAST

    def _written(self, name: str, found_sign: str, digits: str) -> str | None:
        """Write an operator in the grammar's way, None if it has no such form."""
        last = self.pieces[self.dice[-1]][0] if self.dice else ""
        number, _, sides = last.partition("d")
        if sides[:1] in {"{", "F"}:
            sides = str(max(map(int, sides.strip("{}").split(",")))) if sides[0] == "{" else "1"
        if last.startswith("("):
            return None
        sign = forms.COMPARED.get(found_sign, found_sign)
        row = forms.OPERATORS[name]
        if not digits:
            form = None if found_sign else row.get("")
        elif found_sign == "=":
            form = row.get("=", row.get("n"))
        else:
            form = row.get(sign or "n", row.get("c") if sign else None)
        if name == "d" and digits and int(digits) >= int(number or 1):
            return None
        if name in {"h", "l"} and self.dice and self.dice[-1] != len(self.pieces) - 1:
            return None
        if name == "f" and (digits == "1" or self.target):
            form = "f{le}{n}"
            if found_sign in {"<", ">"} and self.is_bare:
                form = "pool above", {"more": "f{c}{n}", "least": "f{c}={n}"}
        elif name == "!" and digits == sides and not sign:
            form = "e{n}"
        if form is None:
            return None
        if name in {"t", "tl"}:
            self.target = f"{'<=' if name == 'tl' else sign or '>='}{digits}"
        slots = {
            "n": digits, "c": sign, "s": sides, "ge": sign or (">=" if digits != sides else ""), "le": sign or "<=",
            "lt": "<=" if digits != "1" else "",
            "toward": self.target[:2] if digits != sides or self.target[:1] == "<" else "", "target": self.target,
        }  # fmt: skip
        written = form if isinstance(form, str) else "".join(dict.fromkeys(form[1].values()))
        if "{s}" in written and not sides.isdecimal():
            return None
        if "{km}" in written or "{even}" in written or "{odd}" in written:
            return _computed(written, int(number or 1), sides, digits)
        if isinstance(form, str):
            return form.format_map(slots)
        return self._choose(form[0], {choice: each.format_map(slots) for choice, each in form[1].items()})


def _computed(form: str, number: int, sides: str, digits: str) -> str | None:
    """Write what takes a reckoning: the middle dice, even or odd faces."""
    if form == "{km}":
        ends = number - int(digits)
        return f"ph{ends // 2}pl{ends // 2}" if ends > 0 and ends % 2 == 0 else None
    if not sides.isdecimal() or int(sides) > 100:
        return None
    return "".join(f"s{face}" for face in range(2 if form == "{even}" else 1, int(sides) + 1, 2))
