/** What no news was heard of (a change by a job or a command, say) is read again after this long. */
export const REFETCH_INTERVAL_MS = 30_000;
