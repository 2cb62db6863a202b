"""What people type to look, to guess, and what they have half typed; and who is hidden from them."""

from __future__ import annotations

HIDDEN_SHEETS = {
    "classic": "HP 31",
    "tactics": "INT 0, AGI 0, ATK 3, DEF 8, TIER 2, HP 24, SPD 4",
    "soulweaver": "ZEAL 2, POISE 0, MINOR 1, SPEED 6",
    "stones": "HP 15, ATK 4, ARM 1, MOV 4, RNG 2, CRT 10, TYPE Spirit",
    "adventurers": "KIND boss, LEVEL 1, STAMINA 9, WILLPOWER 4, SPECIALTIES Arm + Yell",
    "beacon": "HP 24, ARMOR 1, DODGE 8, ADEF 8, GRIT 3, SPEED 3, SIZE 1, SAVE 12, INITIATIVE 5, TURNS 1",
}


def hidden_sheet(system: str) -> str:
    """Return a hidden creature's sheet; a kit has its own pools, and keeps other keys as facts."""
    return HIDDEN_SHEETS.get(system, "HP 31")


LOOKS = (
    "/encounter export", "/encounter log", "/encounter log file:True", "/encounter log page:2", "/fair export",
    "/fair show", "/turn", "/hand show", "/deck show", "/deck discards", "/condition list", "/board show",
    "/board show text:True", "/init list", "/encounter show", "/encounter list", "/encounter list server:True",
    "/encounter options", "/luck", "/luck who:Gwen", "/privacy export", "/rules search:hand", "/character list",
    "/macro list", "/help topic:gm", "/remind list", "/remind list", "/turn",
)  # fmt: skip
GUESSES = (
    "/act action:attack target:Zyq", "/gm reveal target:Zyq", "/gm set target:Zyq pool:HP value:1",
    "/condition add target:Zyq name:Burn", "/hand discard cards:Canary", "/hand give cards:Canary player:Mo",
    "/act action:discard cards:Q", "/gm note target:Z text:guess", "/gm damage target:Zyq amount:1",
    "/board place target:Zyq cells:A1", "/init remove target:Zyq", "/act action:next character:Zyq",
    "/gm cards who:Ana do:take cards:Canary", "/gm answer target:Zyq choice:yes", "/character show name:Hoard",
    "/macro run name:hoard", "/gm aware who:Zyq of:Ana yes:True", "/act action:ability using:x cards:Qfire 1",
    "/encounter undo", "/encounter redo", "/gm order names:Zyq, Ana", "/act action:end character:Z",
    "/act action:end when:my-turn character:Zyq", "/remind off", "/remind back", "/hand show player:Ana",
)  # fmt: skip
HALVES = (
    ("/act", "action"), ("/act action:attack", "target"), ("/act action:ability", "using"), ("/act", "character"),
    ("/act action:ability", "cards"), ("/act action:discard", "cards"), ("/act action:move", "to"),
    ("/gm damage", "target"), ("/gm reveal", "target"), ("/gm set target:Zyq", "pool"), ("/gm cards who:Ana", "cards"),
    ("/hand play", "cards"), ("/hand give", "cards"), ("/condition add", "target"), ("/condition add", "source"),
    ("/condition remove", "name"), ("/gm answer", "target"), ("/gm answer", "choice"), ("/init remove", "target"),
    ("/character show", "name"), ("/macro run", "name"), ("/encounter resume", "name"), ("/encounter move", "name"),
    ("/gm move", "to"), ("/gm turn", "target"), ("/gm effect", "creator"), ("/gm note", "target"),
    ("/board place", "target"), ("/gm ask", "who"), ("/init next", "target"), ("/gm add", "name"),
)  # fmt: skip
