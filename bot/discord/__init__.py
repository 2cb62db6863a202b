"""The connection to Discord: the client, shards, interactions in and their answers."""
