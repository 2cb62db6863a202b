"""Maps as text, sentence by sentence: each sign, what a phone makes of signs, edges, legends, and what is said back.

The whole map with its legend is in `test_maps.py`. Rule: G-06.
"""

from __future__ import annotations

import pytest

from rules.core.maps.text import map_summary, parse_map
from rules.core.space.board import Unseen
from rules.errors import Malformed

CELLS = [
    (".", "", ""),
    ("#", "blocked", ""),
    (" ", "void", ""),
    ("_", "void", ""),
    ("~", "difficult", ""),
    ("^", "hazard", ""),
    ("%", "low", ""),
    ("=", "window", ""),
    ("+", "", "closed"),
    ("/", "", "open"),
    ("'", "", "open"),
    ("!", "", "locked"),
]
EDGES = [
    (" ", "", ""),
    (".", "", ""),
    ("-", "wall", ""),
    ("|", "wall", ""),
    ("=", "window", ""),
    ("%", "low", ""),
    (":", "curtain", ""),
    ("+", "", "closed"),
    ("/", "", "open"),
    ("!", "", "locked"),
]


@pytest.mark.parametrize(("sign", "kind", "door"), CELLS)
def test_each_sign_of_a_cell_is_what_the_table_says(sign: str, kind: str, door: str) -> None:
    board = parse_map(f"...\n.{sign}.\n...")
    assert board.terrain == ({"B2": kind} if kind else {})
    assert board.doors == ({"B2": door} if door else {})
    assert (board.edges, board.unseen) == ({}, Unseen())


@pytest.mark.parametrize(("sign", "kind", "door"), EDGES)
@pytest.mark.parametrize(
    ("text", "edge"), [("edges\n     \n .{}. \n     ", "A1/B1"), ("edges\n   \n . \n {} \n . \n   ", "A1/A2")]
)
def test_each_sign_of_an_edge_is_what_the_list_says_upright_and_level(
    sign: str, kind: str, door: str, text: str, edge: str
) -> None:
    board = parse_map(text.format(sign))
    assert board.edges == ({edge: kind} if kind else {})
    assert board.doors == ({edge: door} if door else {})
    assert (board.terrain, board.unseen) == ({}, Unseen())


def test_in_the_edge_form_odd_places_are_cells_and_the_corners_are_ignored() -> None:
    board = parse_map("edges\n@ @ @\n #.~ \n@ @ @\n +.A \n@ @ @")
    assert (board.width, board.height) == (2, 2)
    assert board.terrain == {"A1": "blocked", "B1": "difficult"}
    assert (board.doors, board.texts, board.edges) == ({"A2": "closed"}, {"B2": "A"}, {})


def test_edges_on_the_border_are_there_anyway() -> None:
    assert parse_map("edges\n--- -\n|.|.|\n-----") == parse_map("edges\n     \n .|. \n     ")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("edges\n     \n . . \n.—-.\n . . \n     ", "edges\n     \n . . \n.---.\n . . \n     "),
        ("edges\n . \n . \n.–.\n . \n . ", "edges\n . \n . \n.-.\n . \n . "),
        ("#…#", "#...#"),
        ("#‘’#", "#''#"),
        ("\t.", "    ."),
        (".\t.", ".    ."),
        ("  #\n.", "__#\n.__"),
        ("#.\r\n.#\r\n", "#.\n.#"),
        ("```\n#.\n.#\n```", "#.\n.#"),
        ("```text\n#.\n.#\n```\n", "#.\n.#"),
        ("###\n#", "###\n#__"),
    ],
    ids=[
        "long dash",
        "dash",
        "dots",
        "quotes",
        "tab",
        "tab within",
        "blanks",
        "line ends",
        "fence",
        "fence of",
        "short",
    ],
)
def test_what_phones_and_editors_make_of_a_map_is_read_as_it_was_meant(typed: str, meant: str) -> None:
    assert parse_map(typed) == parse_map(meant)


def test_curly_quotes_and_windows_line_ends_are_read_in_a_legend_too() -> None:
    assert parse_map("A.\r\n\r\nA = The “Well”\r\n").texts == {"A1": 'The "Well"'}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("...\n.@.", "line 2, column 2 has @. I know . # ~ ^ % + / ! ? = _ letters and digits."),
        (".\t@", "line 1, column 6 has @"),
        ("```\n...\n..@\n```", "line 3, column 3 has @"),
        ("edges\n     \n .*. \n     ", "line 3, column 3 has *. I know - | + / ! ? = % : and blanks."),
        ("edges\n   \n * \n   ", "line 3, column 2 has *"),
        ("#ä", "line 1, column 2 has ä"),
        ("#—#", "line 1, column 2 has -"),
    ],
)
def test_what_is_not_known_is_refused_with_its_line_its_column_and_what_is(text: str, said: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse_map(text)
    assert said in str(refused.value)


WIDE = "\n".join(["A" + "." * 62 + "#" + "~" * 36, "." * 63 + "B" + "." * 36, "", "A = Altar", "B = Bier", "~ = Brook"])


def test_a_map_that_is_too_large_is_refused_with_the_part_that_works() -> None:
    with pytest.raises(Malformed) as refused:
        parse_map(WIDE)
    assert (
        str(refused.value)
        == "That map has 100 × 2 cells; it can have 64 × 64 at most. part:A1:BL64 takes only those cells."
    )
    board = parse_map(WIDE, part="A1:BL64")
    assert (board.width, board.height, board.texts) == (64, 2, {"A1": "Altar", "BL2": "Bier"})
    board = parse_map(WIDE, part="BL2:CV1")
    assert (board.width, board.height, board.terrain["A1"]) == (37, 2, "blocked")
    assert board.texts == {"A2": "Bier", **dict.fromkeys((cell for cell in board.texts if cell != "A2"), "Brook")}
    with pytest.raises(Malformed, match=r"DA1:DB2 is outside the map. The map has A1 to CV2."):
        parse_map(WIDE, part="DA1:DB2")
    with pytest.raises(Malformed, match="line 2, column 70 has @"):
        parse_map(f"{'.' * 80}\n{'.' * 69}@", part="BL1:CB2")


def test_a_part_of_a_map_with_edges_keeps_its_surroundings() -> None:
    text = "edges\n       \n .|.+. \n   -   \n . A . \n       \n\nA = Altar"
    whole, part = parse_map(text), parse_map(text, part="B1:C2")
    assert (whole.edges, whole.doors) == ({"A1/B1": "wall", "B1/B2": "wall"}, {"B1/C1": "closed"})
    assert (part.width, part.edges, part.doors) == (2, {"A1/A2": "wall"}, {"A1/B1": "closed"})
    assert part.texts == {"A2": "Altar"}


def test_a_letter_without_a_line_names_itself_and_so_does_a_digit() -> None:
    assert parse_map("a7Z").texts == {"A1": "a", "B1": "7", "C1": "Z"}
    assert parse_map("a7Z").terrain == {}


def test_a_sign_may_have_another_name_and_never_another_meaning() -> None:
    assert parse_map(".~.\n\n~ = Brook").terrain == {"B1": "difficult"}
    assert parse_map(".~.\n\n~ = Brook").texts == {"B1": "Brook"}
    for kind in ("hazard", "solid", "difficult"):
        with pytest.raises(Malformed, match="has a fixed meaning"):
            parse_map(f".~.\n\n~ = Brook, {kind}")


@pytest.mark.parametrize("kind", ["difficult", "hazard", "low", "window", "void", "solid"])
def test_a_letter_may_be_any_kind_of_cell_and_hidden(kind: str) -> None:
    laid = "blocked" if kind == "solid" else kind
    assert parse_map(f"w.\n\nw = Thing, {kind}").terrain == {"A1": laid}
    hidden = parse_map(f"w.\n\nw = Thing, {kind}, hidden")
    assert (hidden.terrain, hidden.texts) == ({}, {})
    assert (hidden.unseen.terrain, hidden.unseen.texts) == ({"A1": laid}, {"A1": "Thing"})


def test_the_legend_begins_after_the_last_empty_line_before_one_with_an_equals_sign() -> None:
    board = parse_map("A.\n\n.B\n\nA = Altar\nB = Bell")
    assert (board.width, board.height) == (2, 3)
    assert [board.terrain.get(cell) for cell in ("A2", "B2")] == ["void", "void"]
    assert board.texts == {"A1": "Altar", "B3": "Bell"}
    assert parse_map("A.\n\nA = B\n\nA = Altar").height == 3  # only the last one ends the grid
    windows = parse_map(". =\n\n= = Bars")
    assert (windows.terrain, windows.texts) == ({"B1": "void", "C1": "window"}, {"C1": "Bars"})


def test_a_good_map_is_answered_with_its_size_its_doors_and_its_places() -> None:
    board = parse_map("#A+\n/?W\n!..\n\nA = Altar\nW = Well\n")
    assert map_summary("Crypt", board) == "Crypt: 3 × 3, 3 doors, 1 secret, places Altar, Well."
    assert map_summary("Hut", parse_map("..+")) == "Hut: 3 × 1, 1 door."
    assert map_summary("Hut", parse_map("...")) == "Hut: 3 × 1."


def test_a_text_of_more_than_64_kilobytes_is_refused_with_its_size() -> None:
    most = ".." + "\n" * (64 * 1024 - 2)
    assert parse_map(most).width == 2
    with pytest.raises(Malformed, match="That map is 65 KB; it can be 64 KB at most"):
        parse_map(f"{most}\n")


def test_the_form_holds_fifty_by_fifty_cells_and_thirty_by_twenty_with_edges() -> None:
    plain = "\n".join(["#" * 50] * 50)
    row, between = "|" + ".|" * 30, "-" * 61
    edges = "\n".join(["edges", between, *[line for _ in range(20) for line in (row, between)]])
    for text, size in ((plain, (50, 50)), (edges, (30, 20))):
        board = parse_map(text)
        assert (board.width, board.height) == size
        assert len(text) <= 4000
