const SECOND_MS = 1_000;

/** At most two units: 45s, 2m 10s, 3h 5m, 1d 2h. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / SECOND_MS));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return `${days}d ${hours % 24}h`;
  if (hours > 0) return `${hours}h ${minutes % 60}m`;
  if (minutes > 0) return `${minutes}m ${seconds % 60}s`;
  return `${seconds}s`;
}
