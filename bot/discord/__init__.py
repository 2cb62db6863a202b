"""The connection to Discord: the client, interactions in and their answers, requests out, custom ids."""
