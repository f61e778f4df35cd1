export type OutsideUrl = {
  url: URL;
  /** An operator allowed its host, so it may have a private address and any port. */
  listed: boolean;
};

/**
 * An address that a browser (of its push service) or an administrator (of a webhook) gave us; undefined for one that we do
 * not send to. Anything that parsing changes (spelling of the host, a default port, spaces, backslashes) is refused, because
 * parsers may disagree on it. Unless the host is listed, it must be one that `mayBe` allows, without a port.
 */
export function readOutsideUrl(
  address: string,
  listedHosts: readonly string[],
  mayBe: (hostname: string) => boolean,
): OutsideUrl | undefined {
  const url = URL.parse(address);
  if (url === null || url.href !== address || url.protocol !== 'https:') return undefined;
  if (url.username !== '' || url.password !== '' || address.includes('#')) return undefined;
  if (listedHosts.includes(url.host)) return { url, listed: true };
  return url.port === '' && mayBe(url.hostname) ? { url, listed: false } : undefined;
}
