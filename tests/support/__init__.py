"""What tests and benchmarks share: servers, a private site, ready-made rows and waiting."""
