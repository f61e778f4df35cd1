/** In the profile of the page, which JSON and HTML escape. The first profile has no mark. */
const MARK = '&quot;mark&quot;:';
const UPDATED_AT = /&quot;updatedAt&quot;:\d+/;

/**
 * False for other files under a chat's address, such as its manifest, and for a page of a newer build: that build's
 * worker caches it. Also for a page with another profile than the first, which the link of a third must not show.
 */
export function isShell(type: string | null, html: string, assets: readonly string[]): boolean {
  const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, asset = '']) => asset);
  return (
    /^text\/html\b/.test(type ?? '') &&
    named.length > 0 &&
    named.every((asset) => assets.includes(asset)) &&
    !html.includes(MARK)
  );
}

/** The page as it is kept: not known to show the profile of a link, so that the socket asks for that. */
export function withUnknownProfile(html: string): string {
  return html.replace(UPDATED_AT, '&quot;updatedAt&quot;:0');
}
