"""Secrets of the board: what lies and stands in the fog, and what the GM alone sees of it."""

from __future__ import annotations

from rules.core.registry import system_of
from rules.core.space.board import cell_name, column_letters, parse_cell
from tests.trust.stage.looks import HIDDEN_SHEETS
from tests.trust.stage.wire import PEOPLE
from tests.trust.twin.opening import BEGIN, GM, lines, rest, side
from tests.trust.twins import Twins

WARDEN = "Warden"
FOGGED_LOOKS = (
    "/board show part:all", f"/board show part:{WARDEN}", f"/board ruler to:{WARDEN}", "/board see",
    "/board area shape:burst 30 at:A1", f"/board area shape:cone 9 at:A1 toward:{WARDEN}", "/map export as:picture",
    f"/act action:attack target:{WARDEN}", f"/act action:move to:{WARDEN}", "/gm damage target:burst 30 at A1 amount:1",
)  # fmt: skip


async def fog(pair: Twins, moves: int) -> None:
    """A closed room that no side of a player sees: what lies in it, which doors it has, who stands where and walks."""
    pair.knowers = GM
    await lines(pair, options="fog=sight", until=BEGIN)
    await pair.both("Gwen", f"/gm add name:{WARDEN} sheet:{HIDDEN_SHEETS[pair.system]}{side(pair)}")
    first = await _closed_room(pair)
    cells = [[f"{column_letters(first + across)}{row}" for across in range(4)] for row in range(1, 6)]
    placing = f"/board place target:{WARDEN} cells:{{}}"
    walks = pair.system != "stones"  # there everybody is on the side of a player, and sees for them
    if walks:
        await pair.apart(("Gwen", placing.format(cells[0][0])), ("Gwen", placing.format(cells[4][3])))
    await pair.apart(
        ("Gwen", f"/board terrain cells:{cells[1][1]} kind:solid"),
        ("Gwen", f"/board terrain cells:{cells[2][2]} kind:difficult text:Altar"),
    )
    door = "/map draw shape:edge from:{}/{} kind:door"
    await pair.apart(("Gwen", door.format(cells[0][1], cells[0][2])), ("Gwen", door.format(cells[4][1], cells[4][2])))
    await pair.both("Gwen", BEGIN)
    for number in range(max(2, moves // 4)):
        await pair.play(2)
        who = pair.rng.choice(("Ana", "Bo", "Mo"))
        for look in pair.rng.sample(FOGGED_LOOKS, 4):
            await pair.both(who, look)
        for text, focused in (("/board ruler", "to"), ("/board door", "at"), ("/board show", "part")):
            await pair.half(who, text, focused, "")
        here, there = (pair.rng.choice(cells[0]), pair.rng.choice(cells[4]))
        if walks:
            await pair.apart(("Gwen", placing.format(here)), ("Gwen", placing.format(there)))
        if number == 1:
            opened = "/board door at:{}/{}"
            await pair.apart(
                ("Gwen", opened.format(cells[0][1], cells[0][2])), ("Gwen", opened.format(cells[4][1], cells[4][2]))
            )
    for look in FOGGED_LOOKS:
        await pair.both("Ana", look)
    await rest(pair, 2)


async def marks(pair: Twins, moves: int) -> None:
    """What the GM has hidden around somebody, without fog: walls, traps. Nobody walks; all look ahead."""
    pair.knowers = GM
    await lines(pair, until=BEGIN)
    state = pair.state
    assert state is not None
    own = next(each for each in state.combatants if each.owner is not None and each.cell is not None)
    column, row = parse_cell(own.cell or "A1")
    beside = [cell_name(column + across, row) for across in (1, 2)]
    below = [cell_name(column + across, row + 1) for across in (1, 2)]
    drawing = "/map draw hidden:True shape:{}"
    for here, there in (
        (f"edge from:{beside[0]}/{beside[1]}", f"edge from:{below[0]}/{below[1]}"),
        (f"rect from:{beside[1]} kind:hazard text:Pit", f"rect from:{below[0]} kind:solid"),
        (f"wall from:{beside[0]}. to:{below[1]}.", f"wall from:{beside[1]}. to:{below[0]}."),
        (f"edge from:{beside[1]}/{below[1]} kind:window", f"edge from:{beside[1]}/{below[1]} kind:low"),
    ):
        await pair.apart(("Gwen", drawing.format(here)), ("Gwen", drawing.format(there)))
    await pair.both("Gwen", BEGIN)
    who = next(name for name, user in PEOPLE.items() if user == own.owner)
    ways = (f"{beside[0]} {beside[1]}", f"{below[0]} {below[1]}", beside[1], below[1])
    for _ in range(max(2, moves // 6)):
        waiting = () if pair.state is None else system_of(pair.state).waits_for(pair.state)
        for way in ways if own.name not in waiting else ():  # in their turn they would go at once
            await pair.both(who, f"/act action:move to:{way} character:{own.name} when:my-turn")
            await pair.both("Gwen", "/encounter undo")
        for look in (*FOGGED_LOOKS[3:5], "/turn", "/board show text:True", f"/board ruler to:{beside[1]}"):
            await pair.both(who, look)
        await pair.half(who, f"/act action:move character:{own.name}", "to", "")
        await _presses_moves(pair, who)
        if waiting:
            await pair.both("Gwen", f"/gm skip target:{waiting[0]}")
    await pair.everybody_looks()


async def _presses_moves(pair: Twins, who: str) -> None:
    """Press what asks where to go on the newest panel: its picture has numbered cells."""
    for sent in [each for each in pair.a.shown if each.reader == PEOPLE[who] and not each.form][-1:]:
        for component in sent.components:
            if str(component.get("label", "")).startswith("Move"):
                for world in (pair.a, pair.b):
                    await world.press(who, component["custom_id"], None, private=True, direct=False)
    pair.compare(f"{who} asks where to go")


async def _closed_room(pair: Twins) -> int:
    """Add a room behind a solid wall to the board, which there is from then on; return its first column."""
    state = pair.state
    assert state is not None
    if state.board is None:
        await pair.both("Gwen", "/board size size:6x6")
        for number, each in enumerate(state.combatants):
            await pair.both(
                "Gwen", f"/board place target:{each.name} cells:{column_letters(number % 5)}{number // 5 + 1}"
            )
    state = pair.state
    assert state is not None
    assert state.board is not None
    wall, last = state.board.width, max(6, state.board.height)
    await pair.both("Gwen", f"/board size size:{wall + 5}x{last}")
    column = column_letters(wall)
    await pair.both("Gwen", f"/board terrain cells:{column}1:{column}{last} kind:solid")
    await pair.both("Gwen", "/board fog do:reset")  # what was seen before the wall stood
    return wall + 1
