/** The push services of browser vendors: exact hosts, and suffixes. */
const KNOWN_HOSTS = new Set(['fcm.googleapis.com', 'updates.push.services.mozilla.com']);
const KNOWN_SUFFIXES = ['.notify.windows.com', '.push.apple.com'];
const LABELS = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

export type PushEndpoint = {
  url: URL;
  /** From PUSH_HOSTS, so it may have a private address. */
  listed: boolean;
};

/**
 * Undefined for an endpoint that we do not send to. Browsers give endpoints in normalized form. Anything that parsing
 * changes (spelling of the host, spaces, a default port, backslashes) is refused, because parsers may disagree on it.
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
