/** Where the makers of browsers take pushes. Exact names, or what may stand before a suffix that is theirs. */
const KNOWN_HOSTS = new Set(['fcm.googleapis.com', 'updates.push.services.mozilla.com']);
const KNOWN_SUFFIXES = ['.notify.windows.com', '.push.apple.com'];
const LABELS = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

export type PushEndpoint = {
  url: URL;
  /** Named by the installation itself, so it may also be on a private address. */
  listed: boolean;
};

/**
 * What may be sent to, judged by the address alone; undefined for all else. A browser hands out its endpoint in the
 * form that URL itself writes. Whatever changes when it is read (other spellings of a host, spaces, a needless port,
 * backslashes) is no browser's, and is refused before anyone can argue about what it means.
 */
export function readPushEndpoint(endpoint: string, listedHosts: readonly string[]): PushEndpoint | undefined {
  const url = URL.parse(endpoint);
  if (url === null || url.href !== endpoint || url.protocol !== 'https:') return undefined;
  if (url.username !== '' || url.password !== '' || endpoint.includes('#')) return undefined;
  if (listedHosts.includes(url.host)) return { url, listed: true };
  return url.port === '' && isKnownHost(url.hostname) ? { url, listed: false } : undefined;
}

function isKnownHost(hostname: string): boolean {
  if (KNOWN_HOSTS.has(hostname)) return true;
  return KNOWN_SUFFIXES.some(
    (suffix) => hostname.endsWith(suffix) && LABELS.test(hostname.slice(0, -suffix.length)),
  );
}
