import { type OutsideUrl, readOutsideUrl } from '../platform/net/outsideUrl.ts';

/** The push services of browser vendors: exact hosts, and suffixes. Chromium of Linux distributions uses jmt17. */
const KNOWN_HOSTS = new Set(['fcm.googleapis.com', 'jmt17.google.com', 'updates.push.services.mozilla.com']);
const KNOWN_SUFFIXES = ['.notify.windows.com', '.push.apple.com'];
const LABELS = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/** Undefined for an endpoint that we do not send to. PUSH_HOSTS lists additional services. */
export function readPushEndpoint(endpoint: string, listedHosts: readonly string[]): OutsideUrl | undefined {
  return readOutsideUrl(endpoint, listedHosts, isKnownHost);
}

function isKnownHost(hostname: string): boolean {
  if (KNOWN_HOSTS.has(hostname)) return true;
  return KNOWN_SUFFIXES.some(
    (suffix) => hostname.endsWith(suffix) && LABELS.test(hostname.slice(0, -suffix.length)),
  );
}
