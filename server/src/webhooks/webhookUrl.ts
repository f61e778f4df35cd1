/** A name with a dot. The last label has a letter, so that no spelling of an IP address fits. */
const NAME = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
/** Names of local networks. The dialler refuses private addresses of other names. */
const LOCAL = /\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp|svc|arpa)$/;

export type WebhookUrl = {
  url: URL;
  /** From WEBHOOK_HOSTS, so it may have a private address and any port. */
  listed: boolean;
};

/**
 * Undefined for an address that we do not send to. Anything that parsing changes (spelling of the host, a default port,
 * spaces, backslashes) is refused, because parsers may disagree on it.
 */
export function readWebhookUrl(address: string, listedHosts: readonly string[]): WebhookUrl | undefined {
  const url = URL.parse(address);
  if (url === null || url.href !== address || url.protocol !== 'https:') return undefined;
  if (url.username !== '' || url.password !== '' || address.includes('#')) return undefined;
  if (listedHosts.includes(url.host)) return { url, listed: true };
  const { hostname, port } = url;
  return port === '' && NAME.test(hostname) && !LOCAL.test(hostname) ? { url, listed: false } : undefined;
}
