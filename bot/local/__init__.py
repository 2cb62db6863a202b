"""The local table: a Discord stand-in inside the program, with a web page.

Start it before the bot, and let discord.py talk to it::

    table = LocalDiscord()
    await table.start(port=8765)            # 0 takes any free port
    discord.http.Route.BASE = table.api_url
    # the gateway's address is asked of GET {api_url}/gateway/bot, as with any other server
    async with client:
        print(f"Open {table.page_url}")
        await client.start(table.token)
    await table.stop()
"""

from bot.local.server import LocalDiscord

__all__ = ["LocalDiscord"]
