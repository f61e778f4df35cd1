/**
 * Not what else may be opened under a chat's address, as its manifest; nor a page of a newer build, which that build's
 * worker keeps.
 */
export function isShell(type: string | null, html: string, assets: readonly string[]): boolean {
  const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, asset = '']) => asset);
  return (
    /^text\/html\b/.test(type ?? '') && named.length > 0 && named.every((asset) => assets.includes(asset))
  );
}
