import { isShell, withUnknownProfile } from './isShell.ts';
import { CHAT_PATH, type FetchEvent, scope } from './scope.ts';

/** Set by the build: a name that changes with the files, and the files of the visitor's page. */
declare const SHELL_BUILD: string;
declare const SHELL_ASSETS: readonly string[];

const assets = SHELL_ASSETS;
const CACHE_PREFIX = 'settee-shell-';
const CACHE = CACHE_PREFIX + SHELL_BUILD;

/**
 * The page depends on the invite only by its profile. So it is cached once, with the first profile, under an address
 * without a token, for which the server shows that one. The page then asks for the profile of its link.
 */
const SHELL = `${CHAT_PATH}shell`;

/** Use the cached page if the network takes longer. */
const NETWORK_TIMEOUT_MS = 3_000;

/**
 * A worker without a cached page is still useful: it shows notifications and caches the page later. It must not replace
 * a worker that has one.
 */
export async function cacheShell(): Promise<void> {
  // The worker of the development server caches no page.
  if (assets.length === 0) return;
  try {
    if (!(await keep(await fetch(SHELL)))) throw new Error('the page is of another build');
  } catch (error) {
    if ((await oldShells()).length > 0) throw error;
    console.error('shell:', error);
  }
}

export async function deleteOldShells(): Promise<void> {
  await Promise.all((await oldShells()).map((name) => caches.delete(name)));
}

async function oldShells(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE);
}

/** Nothing else comes from the cache: no call, image or other page. */
export function isShellAsset({ origin, pathname }: URL): boolean {
  return origin === scope.location.origin && assets.includes(pathname);
}

export async function assetFromShell(request: Request): Promise<Response> {
  const kept = await (await caches.open(CACHE)).match(request, { ignoreVary: true });
  return kept ?? fetch(request);
}

export async function pageFromNetwork(event: FetchEvent): Promise<Response> {
  return (await event.preloadResponse) ?? fetch(event.request);
}

/** The page from the network if it arrives in time, otherwise the cached one. */
export async function chatPage(event: FetchEvent): Promise<Response> {
  const network = pageFromNetwork(event);
  event.waitUntil(network.then((page) => keep(page.clone())).catch(() => false));
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, NETWORK_TIMEOUT_MS));
  const inTime = await Promise.race([network, late]).catch(() => undefined);
  return inTime ?? (await (await caches.open(CACHE)).match(SHELL)) ?? network;
}

/**
 * One cache per build with the page and its files, so that they always match. The page has just loaded these files, so
 * they come from the HTTP cache. Resolves to false for a page that must not be cached.
 */
async function keep(page: Response): Promise<boolean> {
  const html = await page.text();
  if (!page.ok || !isShell(page.headers.get('content-type'), html, assets)) return false;
  const cache = await caches.open(CACHE);
  const there = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  await cache.addAll(assets.filter((asset) => !there.has(asset)));
  // A fetched response contains its URL with the token. A new response does not.
  await cache.put(SHELL, new Response(withUnknownProfile(html), { headers: page.headers }));
  return true;
}
