"""The GM's rulings: whatever the rules refuse, the GM can do by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord.caller import Caller
from bot.render.payload import Reply
from cogs import _sources as sources
from cogs._asking import Asked, Person, answer, fetched, name_of, step
from cogs._scene import completes
from rules.core.command import Command

if TYPE_CHECKING:
    from bot.discord.client import RefereeClient

one = completes(sources.combatants)
several = completes(sources.combatants, many=", ")


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
class Gm(commands.GroupCog, group_name="gm", group_description="Rulings: the GM always has the last word"):
    """Rule: G-01."""

    @app_commands.command(description="Add somebody that you play, or several")
    @app_commands.describe(
        name="Its name, or that of a template you saved; several are numbered",
        sheet="KEY VALUE, KEY VALUE as in HP 7, AC 13",
        file="A character's JSON file",
        count="How many (1 to 30)",
        side="Which side they are on",
        hidden="Nobody else sees that it exists until /gm reveal",
    )
    @app_commands.autocomplete(name=completes(sources.characters), side=completes(sources.sides))
    async def add(
        self,
        asked: Asked,
        *,
        name: str,
        sheet: str | None = None,
        file: discord.Attachment | None = None,
        count: app_commands.Range[int, 1, 30] | None = None,
        side: str | None = None,
        hidden: bool | None = None,
    ) -> None:
        async def perform(caller: Caller) -> Reply:
            characters = asked.client.characters
            data = None if file is None else await fetched(file, "a character")
            document = (
                await characters.template_document(caller, name)
                if data is None
                else characters.file_document(caller, data, name)
            )
            args = {"name": name, "sheet": sheet, "document": document, "count": count, "side": side, "hidden": hidden}
            given = {key: value for key, value in args.items() if value is not None}
            return await asked.client.referee.step(caller, Command(action="gm add", args=given))

        await answer(asked, perform)

    @app_commands.command(description="Show a hidden combatant to everybody")
    @app_commands.describe(target="Who appears; several with commas")
    @app_commands.autocomplete(target=completes(sources.hidden_combatants, many=", "))
    async def reveal(self, asked: Asked, target: str) -> None:
        await step(asked, "gm reveal", target=target)

    @app_commands.command(name="set", description="Set a pool, a sheet field, initiative, group, side, owner or a mark")
    @app_commands.describe(
        target="Whose; several with commas",
        pool="What: HP, AC, initiative, group, side, owner, mark:NAME",
        value="To what: 12, 12/20, a name, off",
    )
    @app_commands.autocomplete(target=several, pool=completes(sources.settable))
    async def set_value(self, asked: Asked, target: str, pool: str, value: str) -> None:
        await step(asked, "gm set", target=target, pool=pool, value=value)

    @app_commands.command(description="Take health off; temporary points go first")
    @app_commands.rename(kind="type")
    @app_commands.describe(
        target="Whose; several with commas",
        amount="A number, or dice as in 2d6+1",
        kind="What kind of damage",
        half="Who of them takes half",
    )
    @app_commands.autocomplete(target=several, half=completes(sources.named_in("target"), many=", "))
    async def damage(
        self, asked: Asked, target: str, amount: str, kind: str | None = None, half: str | None = None
    ) -> None:
        await step(asked, "gm damage", target=target, half=half, more={"amount": amount, "type": kind})

    @app_commands.command(description="Give health back, up to the maximum")
    @app_commands.rename(kind="type")
    @app_commands.describe(
        target="Whose; several with commas",
        amount="A number, or dice as in 2d6+1",
        kind="What kind of healing",
        half="Who of them gets half",
    )
    @app_commands.autocomplete(target=several, half=completes(sources.named_in("target"), many=", "))
    async def heal(
        self, asked: Asked, target: str, amount: str, kind: str | None = None, half: str | None = None
    ) -> None:
        await step(asked, "gm heal", target=target, half=half, more={"amount": amount, "type": kind})

    @app_commands.command(description="Put somebody on a cell of the board; it provokes nothing")
    @app_commands.describe(target="Whom", to="A cell, as C4")
    @app_commands.autocomplete(target=one, to=completes(sources.free_cells))
    async def move(self, asked: Asked, target: str, to: str) -> None:
        await step(asked, "gm move", target=target, to=to)

    @app_commands.command(description="Give somebody the turn now")
    @app_commands.describe(target="Whom")
    @app_commands.autocomplete(target=completes(sources.creators))
    async def turn(self, asked: Asked, target: str) -> None:
        await step(asked, "gm turn", target=target)

    @app_commands.command(description="End or skip somebody's turn")
    @app_commands.describe(target="Whose")
    @app_commands.autocomplete(target=completes(sources.creators))
    async def skip(self, asked: Asked, target: str) -> None:
        await step(asked, "gm skip", target=target)

    @app_commands.command(description="Take somebody out of the encounter")
    @app_commands.describe(target="Who leaves; several with commas")
    @app_commands.autocomplete(target=several)
    async def remove(self, asked: Asked, target: str) -> None:
        await step(asked, "gm remove", target=target)

    @app_commands.command(name="next-phase", description="Go on to the next phase or round")
    async def next_phase(self, asked: Asked) -> None:
        await step(asked, "gm next-phase")

    @app_commands.command(description="Put combatants into an order")
    @app_commands.describe(names="Who comes after whom, with commas")
    @app_commands.autocomplete(names=several)
    async def order(self, asked: Asked, names: str) -> None:
        await step(asked, "gm order", names=names)

    @app_commands.command(description="Answer a question for somebody who does not")
    @app_commands.describe(target="For whom", choice="What they answer, and what it takes: take, willpower 2")
    @app_commands.autocomplete(target=completes(sources.asked), choice=completes(sources.answers))
    async def answer(self, asked: Asked, target: str, choice: str) -> None:
        await step(asked, "gm answer", target=target, choice=choice)

    @app_commands.command(description="Decide what the rules leave to the GM")
    @app_commands.describe(what="What is to be decided", value="How")
    @app_commands.autocomplete(what=completes(sources.things_to_choose), value=completes(sources.values_to_choose))
    async def choose(self, asked: Asked, what: str, value: str) -> None:
        await step(asked, "gm choose", what=what, value=value)

    @app_commands.command(description="Put an effect on somebody")
    @app_commands.describe(
        creator="Who made it",
        name="What it is called",
        bearer="On whom",
        duration="How long, in the creator's turns",
        ritual="It is a ritual",
    )
    @app_commands.autocomplete(creator=completes(sources.creators), bearer=one, name=completes(sources.conditions))
    async def effect(
        self, asked: Asked, *, creator: str, name: str, bearer: str, duration: int, ritual: bool | None = None
    ) -> None:
        await step(asked, "gm effect", creator=creator, name=name, bearer=bearer, duration=duration, ritual=ritual)

    @app_commands.command(description="Say who is aware of whom")
    @app_commands.describe(who="Who; several with commas", of="Of whom; several with commas", yes="Aware, or not")
    @app_commands.autocomplete(who=several, of=several)
    async def aware(self, asked: Asked, who: str, of: str, yes: bool) -> None:
        await step(asked, "gm aware", who=who, of=of, yes=yes)

    @app_commands.command(description="Declare an event that others may react to")
    @app_commands.describe(note="What happens")
    async def trigger(self, asked: Asked, note: str) -> None:
        await step(asked, "gm trigger", note=note)

    @app_commands.command(description="Move somebody's cards by hand")
    @app_commands.describe(
        who="Whose hand",
        do="draw, give, take or discard",
        cards="Which cards, with commas; 2x for copies",
        count="How many, for draw",
        to="To whom, for give",
    )
    @app_commands.autocomplete(cards=completes(sources.their_cards, many=", ", copies=True))
    async def cards(
        self,
        asked: Asked,
        *,
        who: discord.User,
        do: Literal["draw", "give", "take", "discard"],
        cards: str | None = None,
        count: app_commands.Range[int, 1, 100] | None = None,
        to: discord.User | None = None,
    ) -> None:
        holder: Person = who
        receiver: Person | None = to
        await step(
            asked,
            "gm cards",
            people=(holder, receiver),
            cards=cards,
            who=str(holder.id),
            who_name=name_of(holder),
            do=do,
            count=count,
            to_user=None if receiver is None else str(receiver.id),
            to_name=None if receiver is None else name_of(receiver),
        )

    @app_commands.command(description="Keep a private note on somebody")
    @app_commands.describe(target="On whom", text="What to remember", show="gm (the default), or owner too")
    @app_commands.autocomplete(target=one)
    async def note(self, asked: Asked, target: str, text: str, show: Literal["gm", "owner"] = "gm") -> None:
        await step(asked, "gm note", target=target, text=text, show=show)

    @app_commands.command(description="Ask several for a roll; each gets a button, the results come together")
    @app_commands.describe(
        who="Whom; several with commas",
        dice="What they roll, as in 1d20+2",
        at_least="The number to reach",
        reason="What it is for",
        show="Who sees it: all, gm, or blind (the GM alone)",
    )
    @app_commands.autocomplete(who=several)
    async def ask(
        self,
        asked: Asked,
        *,
        who: str,
        dice: str,
        at_least: int | None = None,
        reason: str | None = None,
        show: Literal["all", "gm", "blind"] = "all",
    ) -> None:
        await step(asked, "gm ask", who=who, dice=dice, at_least=at_least, reason=reason, show=show)


async def setup(bot: RefereeClient) -> None:
    await bot.add_cog(Gm())
