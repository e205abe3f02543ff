// Specification §9 asks for this much; the browser gives up long before.
export const API_TIMEOUT_MS = 500_000;
// Specification §9: build update check every hour, reload guard of 10 s.
export const BUILD_CHECK_MS = 3_600_000;
export const RELOAD_GUARD_MS = 10_000;
