import { isShell } from './isShell.ts';
import { CHAT_PATH, type FetchEvent, scope } from './scope.ts';

/** Put in by the build: a name that changes with the files, and the visitor's page's files. */
declare const SHELL_BUILD: string;
declare const SHELL_ASSETS: readonly string[];

const assets = SHELL_ASSETS;
const CACHE_PREFIX = 'settee-shell-';
const CACHE = CACHE_PREFIX + SHELL_BUILD;

/**
 * The page is the same for every invite, so it is kept once, under an address that names none. The server answers
 * it like any other, because it does not look at the token either: the page's script does.
 */
const SHELL = `${CHAT_PATH}shell`;

/** A network that is there but does not answer is as good as none. */
const PATIENCE_MS = 3_000;

/**
 * A worker that has no shell yet is worth installing all the same: it shows what is pushed, and keeps the page when
 * one is next opened. It only does not take the place of one that has.
 */
export async function cacheShell(): Promise<void> {
  // The development server's worker keeps no page.
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

/** Nothing else is ever answered from here: no call, no picture, no other page. */
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

/** The network's page where there is one in time, else the one that was kept. */
export async function chatPage(event: FetchEvent): Promise<Response> {
  const network = pageFromNetwork(event);
  event.waitUntil(network.then((page) => keep(page.clone())).catch(() => false));
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const inTime = await Promise.race([network, late]).catch(() => undefined);
  return inTime ?? (await (await caches.open(CACHE)).match(SHELL)) ?? network;
}

/**
 * One cache per build, with the page and all its files, so that what is kept always fits together. The files were
 * just loaded by the page and may be kept for a year: they come from the browser's own cache, not over the network.
 * False for a page that is not ours to keep.
 */
async function keep(page: Response): Promise<boolean> {
  const html = await page.text();
  if (!page.ok || !isShell(page.headers.get('content-type'), html, assets)) return false;
  const cache = await caches.open(CACHE);
  const there = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  await cache.addAll(assets.filter((asset) => !there.has(asset)));
  // A response remembers the address that it came from, token and all; one made of the same words does not.
  await cache.put(SHELL, new Response(html, { headers: page.headers }));
  return true;
}
