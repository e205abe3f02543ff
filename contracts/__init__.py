"""Names and versioned payloads that processes agree on: tasks, queues, Redis keys, messages. Stdlib only."""
