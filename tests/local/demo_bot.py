"""A small bot with one of everything, to try the local table with."""

import asyncio
import io

import discord
from discord import app_commands
from PIL import Image


class Ask(discord.ui.Modal, title="Who goes there?"):
    name: discord.ui.TextInput["Ask"] = discord.ui.TextInput(label="Name", max_length=32)
    side: discord.ui.Label["Ask"] = discord.ui.Label(
        text="Side",
        description="Whose friend?",
        component=discord.ui.Select(
            options=[discord.SelectOption(label="The party", value="A"), discord.SelectOption(label="Foes", value="B")]
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.side.component, discord.ui.Select)
        side = self.side.component.values[0]
        await interaction.response.send_message(f"Welcome, {self.name.value} of {side}!", ephemeral=True)


class Panel(discord.ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.count = 0

    @discord.ui.button(label="Count", style=discord.ButtonStyle.primary, custom_id="panel:count")
    async def count_up(self, interaction: discord.Interaction, _button: discord.ui.Button["Panel"]) -> None:
        self.count += 1
        await interaction.response.edit_message(content=f"Counted {self.count}", view=self)

    @discord.ui.button(label="Ask me", custom_id="panel:ask")
    async def ask(self, interaction: discord.Interaction, _button: discord.ui.Button["Panel"]) -> None:
        await interaction.response.send_modal(Ask())

    @discord.ui.button(label="Off", custom_id="panel:off", disabled=True)
    async def off(self, interaction: discord.Interaction, _button: discord.ui.Button["Panel"]) -> None:
        raise AssertionError(f"a disabled button was pressed: {interaction.id}")

    @discord.ui.select(
        placeholder="A colour",
        custom_id="panel:colour",
        options=[discord.SelectOption(label="Red", value="r"), discord.SelectOption(label="Blue", value="b")],
    )
    async def colour(self, interaction: discord.Interaction, select: discord.ui.Select["Panel"]) -> None:
        await interaction.response.send_message(f"You chose {select.values[0]}", ephemeral=True)

    @discord.ui.select(cls=discord.ui.UserSelect, placeholder="Somebody", custom_id="panel:who")
    async def who(self, interaction: discord.Interaction, select: discord.ui.UserSelect["Panel"]) -> None:
        await interaction.response.defer()
        await interaction.followup.send(f"Hello {select.values[0].mention}")


class Sheet(discord.ui.LayoutView):
    """A line with its own button, galleries and a file."""

    def __init__(self, count: int = 0) -> None:
        super().__init__(timeout=None)
        self.count = count
        more: discord.ui.Button[Sheet] = discord.ui.Button(label="Heal", custom_id="sheet:heal")
        more.callback = self.heal  # type: ignore[method-assign] # as the library's own guide says
        box: discord.ui.Container[Sheet] = discord.ui.Container(accent_colour=0x5865F2)
        box.add_item(
            discord.ui.Section(f"**Ayla** was healed {count} times, which is a line of some length", accessory=more)
        )
        self.add_item(box)
        for many in (1, 3):
            shown = [discord.MediaGalleryItem("attachment://board.png", description=f"{many} boards")] * many
            self.add_item(discord.ui.MediaGallery(*shown))
        self.add_item(discord.ui.File("attachment://log.txt"))

    async def heal(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(view=Sheet(self.count + 1))


def picture() -> discord.File:
    buffer = io.BytesIO()
    Image.new("RGB", (320, 120), (88, 101, 242)).save(buffer, "PNG")
    return discord.File(io.BytesIO(buffer.getvalue()), "board.png", description="A blue board")


class DemoBot(discord.Client):
    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.default(), allowed_mentions=discord.AllowedMentions.none())
        self.tree = app_commands.CommandTree(self)
        self.heard: list[str] = []
        add_commands(self.tree)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_message(self, message: discord.Message) -> None:
        self.heard.append(message.content)


def add_commands(tree: app_commands.CommandTree[DemoBot]) -> None:
    @tree.command(description="Rolls dice")
    @app_commands.describe(dice="What to roll", times="How often", reason="What for")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.allowed_installs(guilds=True, users=True)
    async def roll(
        interaction: discord.Interaction,
        dice: str,
        times: app_commands.Range[int, 1, 20] = 1,
        reason: str = "",
        show: app_commands.Choice[str] | None = None,
    ) -> None:
        shown = show.value if show else "all"
        embed = discord.Embed(title=f"{dice} x{times}", description=f"**17** ~~3~~ for {reason}", colour=0x5865F2)
        await interaction.response.send_message(f"Rolled {dice}", embed=embed, ephemeral=shown == "me")

    @roll.autocomplete("dice")
    async def complete_dice(_interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        known = {"attack (Ayla)": "1d20+5", "damage (Ayla)": "2d6+3"}
        return [app_commands.Choice(name=n, value=v) for n, v in known.items() if current in n]

    app_commands.choices(
        show=[app_commands.Choice(name="all", value="all"), app_commands.Choice(name="only me", value="me")]
    )(roll)

    @tree.command(description="Posts a panel of buttons")
    async def panel(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Counted 0", view=Panel())

    @tree.command(description="Thinks first, then shows a picture")
    async def board(interaction: discord.Interaction, private: bool = False) -> None:
        await interaction.response.defer(ephemeral=private, thinking=True)
        await asyncio.sleep(0.05)
        embed = discord.Embed(title="Board").set_image(url="attachment://board.png")
        await interaction.followup.send(embed=embed, file=picture())
        await interaction.followup.send("There it is.")

    @tree.command(description="Shows what is laid out by components")
    async def sheet(interaction: discord.Interaction) -> None:
        files = [picture(), discord.File(io.BytesIO(b"Ayla hits"), "log.txt")]
        await interaction.response.send_message(view=Sheet(), files=files, ephemeral=True)

    @tree.command(description="Pings somebody in the channel")
    async def ping(interaction: discord.Interaction, who: discord.Member, where: discord.TextChannel) -> None:
        await where.send(
            f"{who.mention}, your turn",
            nonce="once",
            allowed_mentions=discord.AllowedMentions(users=[who]),
        )
        await interaction.response.send_message("Done", ephemeral=True)

    @tree.command(description="Reads a file back")
    async def read(interaction: discord.Interaction, file: discord.Attachment) -> None:
        text = (await file.read()).decode()
        await interaction.response.send_message(f"{file.filename}: {text}", ephemeral=True)

    init = app_commands.Group(name="init", description="Initiative")

    @init.command(description="Joins the order")
    async def join(interaction: discord.Interaction, bonus: int = 0) -> None:
        await interaction.response.send_message(f"{interaction.user.display_name} joined with {bonus:+d}")

    @init.command(description="Ends it")
    @app_commands.default_permissions(manage_messages=True)
    async def end(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Ended")

    tree.add_command(init)
