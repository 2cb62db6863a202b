"""What a press can reach, each made once and wired by the client."""

from __future__ import annotations

from dataclasses import dataclass

from bot.features.board_choices import BoardChoices
from bot.features.casts import Casts
from bot.features.character_forms import CharacterForms
from bot.features.characters import Characters
from bot.features.luck import Luck
from bot.features.macros import Macros
from bot.features.maps import Maps
from bot.features.odds import Odds
from bot.features.privacy import Privacy
from bot.features.rolls import Rolls
from bot.features.typed_dice import TypedDice
from bot.posting.prompts import Publisher
from bot.reminders.commands import Reminders
from bot.replies.referee import Referee
from bot.table.pictures import Pictures
from bot.table.service import Tables


@dataclass(frozen=True, slots=True)
class Services:
    """The referee without its connection."""

    tables: Tables
    referee: Referee
    publisher: Publisher
    dice: TypedDice
    rolls: Rolls
    odds: Odds
    macros: Macros
    luck: Luck
    privacy: Privacy
    pictures: Pictures
    board_choices: BoardChoices
    reminders: Reminders
    characters: Characters
    casts: Casts
    maps: Maps
    character_forms: CharacterForms
