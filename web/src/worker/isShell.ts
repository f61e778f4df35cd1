/**
 * False for other files under a chat's address, such as its manifest, and for a page of a newer build: that build's
 * worker caches it.
 */
export function isShell(type: string | null, html: string, assets: readonly string[]): boolean {
  const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, asset = '']) => asset);
  return (
    /^text\/html\b/.test(type ?? '') && named.length > 0 && named.every((asset) => assets.includes(asset))
  );
}
