"""Discord's permission bits, as far as a table needs them."""

BITS = {
    "create_instant_invite": 1 << 0,
    "administrator": 1 << 3,
    "manage_channels": 1 << 4,
    "manage_guild": 1 << 5,
    "add_reactions": 1 << 6,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "manage_messages": 1 << 13,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "mention_everyone": 1 << 17,
    "use_external_emojis": 1 << 18,
    "change_nickname": 1 << 26,
    "use_application_commands": 1 << 31,
    "manage_threads": 1 << 34,
    "create_public_threads": 1 << 35,
    "create_private_threads": 1 << 36,
    "send_messages_in_threads": 1 << 38,
    "use_external_apps": 1 << 50,
    "pin_messages": 1 << 51,
}
ALL = sum(BITS.values())

EVERYONE = sum(
    BITS[name]
    for name in (
        "add_reactions",
        "view_channel",
        "send_messages",
        "embed_links",
        "attach_files",
        "read_message_history",
        "use_external_emojis",
        "change_nickname",
        "use_application_commands",
        "create_public_threads",
        "send_messages_in_threads",
        "use_external_apps",
    )
)
MODERATOR = BITS["manage_messages"] | BITS["manage_threads"] | BITS["pin_messages"] | BITS["mention_everyone"]
# What the referee asks for when it is invited: no more than the everyday permissions.
REFEREE = EVERYONE

# Somebody in a direct message: no roles there, so everything that makes sense.
DIRECT_MESSAGE = EVERYONE | BITS["mention_everyone"]


def bits(*names: str) -> int:
    """Join named permissions.

    Raises:
        KeyError: a name is not one of Discord's, or a table has no use for it.

    """
    return sum({BITS[name] for name in names})
