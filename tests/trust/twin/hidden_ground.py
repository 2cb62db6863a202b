"""Secrets of the board: what is in the fog, and what the GM alone sees of it."""

from __future__ import annotations

from rules.core.registry import system_of
from rules.core.space.cells import cell_name, column_letters, parse_cell
from tests.trust.stage.looks import hidden_sheet
from tests.trust.twin.opening import BEGIN, GM, lines, rest, side
from tests.trust.twins import Twins
from tests.wire import PEOPLE

WARDEN = "Warden"
FOGGED_LOOKS = (
    "/board show part:all", f"/board show part:{WARDEN}", "/board show text:True", "/board show text:True part:all",
    f"/board ruler to:{WARDEN}", "/board ruler to:Altar", "/board ruler to:{far}", "/board see",
    f"/board see target:{WARDEN}", "/board see target:{far}", "/board area shape:burst 30 at:A1",
    "/board area shape:burst 30 at:A1 through:True", f"/board area shape:cone 9 at:A1 toward:{WARDEN}",
    "/board area shape:burst 2 at:{far} show:all", "/board area shape:line 30 5 at:A1 toward:{far}",
    "/map export as:picture", "/encounter export", "/encounter log", "/encounter log file:True", "/turn",
    f"/act action:attack target:{WARDEN}", f"/act action:move to:{WARDEN}", "/act action:move to:{far}",
    "/act action:attack target:burst 30 at A1", "/board move to:{far}", f"/board move to:{WARDEN}",
    "/board door at:{edge}", "/board door at:{edge} do:unlock", "/gm damage target:burst 30 at A1 amount:1",
    "/condition add target:burst 30 at A1 name:Burn",
)  # fmt: skip
COMPLETED = (
    ("/board ruler", "to"), ("/board ruler to:A1", "from"), ("/board door", "at"), ("/board show", "part"),
    ("/board show", "target"), ("/board area shape:burst 2", "at"), ("/board area shape:cone 3 at:A1", "toward"),
    ("/board area", "shape"), ("/board see", "who"), ("/board see", "target"), ("/board fog do:reveal", "cells"),
    ("/act action:move", "to"), ("/act action:attack", "target"), ("/gm damage", "target"), ("/map use", "name"),
)  # fmt: skip
PRESSED = ("Move", "Door", "Area", "Map", "Attack", "More …", "Place area", "Another area")


async def fog(pair: Twins, moves: int) -> None:
    """A closed room that no side of a player sees: what is in it, its doors, its creatures and how they walk.

    In one half of the games the sides see, in the other the GM reveals all but the room.
    """
    pair.knowers = GM
    option = pair.rng.choice(("sight", "gm"))
    await lines(pair, options=f"fog={option}", until=BEGIN)
    await pair.both("Gwen", f"/gm add name:{WARDEN} sheet:{hidden_sheet(pair.system)}{side(pair)}")
    first = await _closed_room(pair)
    if option == "gm":
        await pair.both("Gwen", f"/board fog do:reveal cells:A1:{column_letters(first - 1)}6")
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
    edge = f"{cells[0][1]}/{cells[0][2]}"
    looks = [look.replace("{far}", cells[2][2]).replace("{edge}", edge) for look in FOGGED_LOOKS]
    for number in range(max(2, moves // 4)):
        await pair.play(2)
        who = pair.rng.choice(("Ana", "Bo", "Mo"))
        for look in pair.rng.sample(looks, 5):
            await pair.both(who, look)
        for text, focused in pair.rng.sample(COMPLETED, 5):
            await pair.half(who, text, focused, pair.rng.choice(("", "a", "w")))
        await _presses_panel(pair, who)
        here, there = (pair.rng.choice(cells[0]), pair.rng.choice(cells[4]))
        if walks:
            await pair.apart(("Gwen", placing.format(here)), ("Gwen", placing.format(there)))
        if number == 1:
            opened = "/board door at:{}/{}"
            await pair.apart(
                ("Gwen", opened.format(cells[0][1], cells[0][2])), ("Gwen", opened.format(cells[4][1], cells[4][2]))
            )
    for look in looks:
        await pair.both("Ana", look)
    for text, focused in COMPLETED:
        await pair.half("Ana", text, focused, "")
    await pair.both("Gwen", "/encounter options set:plain=on")
    await pair.both("Mo", "/turn")
    await rest(pair, 2)


async def marks(pair: Twins, moves: int) -> None:
    """What the GM has hidden around somebody, without fog: walls, traps, over what all see. Nobody walks; all look."""
    pair.knowers = GM
    await lines(pair, until=BEGIN)
    state = pair.state
    assert state is not None
    own = next(each for each in state.combatants if each.owner is not None and each.cell is not None)
    column, row = parse_cell(own.cell or "A1")
    beside = [cell_name(column + across, row) for across in (1, 2)]
    below = [cell_name(column + across, row + 1) for across in (1, 2)]
    if pair.rng.random() < 0.7:
        for public in (
            f"edge from:{beside[0]}/{beside[1]} kind:low",
            f"edge from:{below[0]}/{below[1]} kind:low",
            f"edge from:{beside[1]}/{below[1]} kind:door text:Postern",
            f"rect from:{below[0]} kind:difficult text:Mud",
            f"wall from:{below[1]}. to:{beside[0]}. kind:low",
        ):
            await pair.both("Gwen", f"/map draw shape:{public}")
    drawing = "/map draw hidden:True shape:{}"
    for here, there in (
        (f"edge from:{beside[0]}/{beside[1]}", f"edge from:{below[0]}/{below[1]}"),
        (f"rect from:{beside[1]} kind:hazard text:Pit", f"rect from:{below[0]} kind:solid"),
        (f"wall from:{beside[0]}. to:{below[1]}.", f"wall from:{beside[1]}. to:{below[0]}."),
        (f"edge from:{beside[1]}/{below[1]} kind:window", f"edge from:{beside[1]}/{below[1]} kind:low"),
        (f"edge from:{beside[0]}/{beside[1]} kind:door", f"edge from:{below[0]}/{below[1]} kind:door text:Panel"),
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
    """Press the button for a destination on the newest panel: its picture has numbered cells."""
    for sent in [each for each in pair.a.shown if each.reader == PEOPLE[who] and not each.form][-1:]:
        for component in sent.components:
            if str(component.get("label", "")).startswith("Move"):
                for world in (pair.a, pair.b):
                    await world.press(who, component["custom_id"], None, private=True, direct=False)
    pair.compare(f"{who} asks where to go")


async def _presses_panel(pair: Twins, who: str) -> None:
    """Open one's panel and press what leads over the board, and what that leads to: lists, numbers, pictures."""
    await pair.both(who, "/turn")
    for _ in range(3):
        mine = [each for each in pair.a.shown if each.reader == PEOPLE[who] and not each.form][-1:]
        able = [
            component
            for sent in mine
            for component in sent.components
            if component.get("options") or str(component.get("label", "")).startswith(PRESSED)
        ]
        if not able:
            return
        component = pair.rng.choice(able)
        values = None
        if component.get("options"):
            values = [pair.rng.choice(component["options"][:8])["value"]]
            if len(component["options"]) > 1 and str(component["custom_id"]).startswith(("m|", "y|")):
                return  # it would be done at once
        for world in (pair.a, pair.b):
            await world.press(who, component["custom_id"], values, private=True, direct=False)
        pair.compare(f"{who} presses {component.get('label') or component.get('placeholder')}")


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
    await pair.both("Gwen", "/board fog do:reset")  # what was seen before the wall was there
    return wall + 1
