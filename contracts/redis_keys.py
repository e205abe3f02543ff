"""Keys and channels in Redis that more than one process uses (docs/contracts.md says what they hold)."""

# Batches of visits that no worker has stored yet: hash batch id → payload; sorted sets batch id → Unix time: of those
# that wait the time of sending, of those that a worker is storing the time when it claimed them.
BATCHES = "coursefront:visits:batches"
BATCHES_SINCE = "coursefront:visits:batches_since"
CLAIMED_BATCHES = "coursefront:visits:claimed"
# Sorted set batch id → Unix time of sending, of those that a worker is storing.
CLAIMED_SINCE = "coursefront:visits:claimed_since"
# Hash batch id → how often a batch was claimed by a worker that could not store it although it could store others, or
# that was killed.
BATCH_FAILURES = "coursefront:visits:failures"
# Batches whose payload only a newer worker can read: hash "{version}:{batch id}" → payload.
NEWER_BATCHES = "coursefront:visits:newer"
# Batches of a kind that only a newer worker knows: hash "{kind}:{batch id}" → payload.
UNKNOWN_KINDS = "coursefront:visits:unknown_kinds"
# Addresses of crawlers that nobody has looked at yet: a set of CrawlerSighting as JSON. It ends by itself.
SIGHTINGS = "coursefront:crawlers:sightings"
# Exists while a worker asks DNS about crawlers.
SIGHTINGS_LOCK = "coursefront:lock:crawlers"
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
