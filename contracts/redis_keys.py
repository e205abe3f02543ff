"""Keys and channels in Redis that more than one process uses (docs/contracts.md says what they hold)."""

# Batches of visits that no worker has stored yet: hash batch id → payload, sorted set batch id → Unix time of sending.
PENDING_BATCHES = "coursefront:visits:pending"
PENDING_SINCE = "coursefront:visits:pending_since"
# Batches whose payload only a newer worker can read: hash "{version}:{batch id}" → payload.
NEWER_BATCHES = "coursefront:visits:newer"
# Unix time of the last heartbeat.
HEARTBEAT = "coursefront:heartbeat"
HEARTBEAT_EVERY_S = 10.0
HEARTBEAT_MAX_AGE_S = 30.0
# Followed by a topic of the outbox: the token of the worker that handles its rows.
TOPIC_LOCK = "coursefront:lock:"
# Followed by a topic of the outbox: exists while the topic's service could not be reached a moment ago.
TOPIC_PAUSE = "coursefront:outbox:pause:"
# Followed by a random name: the channel on which one host process receives RPC replies.
RPC_CHANNEL = "coursefront:rpc:"
# Followed by the key of a limit and the number of the time window; the value is the count.
RATE_LIMIT = "limit:"

# Names of the build before, read for one release while its processes still run.
FORMER_PENDING_BATCHES = "coursefront:unstored"
FORMER_PENDING_SINCE = "coursefront:unstored:since"
FORMER_HEARTBEAT = "coursefront:worker"
