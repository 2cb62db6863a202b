"""PostgreSQL, for several processes: the engine, its schema, who serves which shard, and what they tell each other."""
