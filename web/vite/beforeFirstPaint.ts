import { minifySync, type Plugin } from 'vite';

/*
 * Work before the first paint, and work that depends on the page's address. These functions become an inline script,
 * which the gateway allows by its hash, so they must not use anything outside themselves. Storage may be unavailable.
 */

/** Applies the user's theme. Without one, the system's theme applies. */
export function chooseTheme(): void {
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {}
}

/** Marks the page if it will show a chat with its header, not the profile and the start button. */
export function findSeat(): void {
  try {
    const [, place, token = ''] = location.pathname.split('/');
    const stored = (key: string) => localStorage.getItem(key + decodeURIComponent(token)) !== null;
    const seated = place === 'i' && ['continue_code_', 'first_session_', 'seat_'].some(stored);
    if (seated || place === 'chat') document.documentElement.dataset.seat = '';
  } catch {}
}

/**
 * Sets the manifest of this chat from the page's address, so that this chat is installed. The HTML is the same for all
 * chats.
 */
export function nameManifest(): void {
  const link = document.querySelector<HTMLLinkElement>('[rel=manifest]');
  if (link) link.href = location.pathname.replace(/\/?$/, '/manifest.webmanifest');
}

/**
 * Starts the first requests while the scripts are loading; `net/early.ts` uses the answers. If the link is valid, the
 * preloader shows the text above Start chat, and the next files are fetched.
 */
export function askEarly(): void {
  const [, place, token] = location.pathname.split('/');
  if (place !== 'i' || !token) return;
  const early: Record<string, Promise<Response>> = {};
  const ask = (path: string, method: string): Promise<Response> => {
    const asked = fetch(path, { method, signal: AbortSignal.timeout(15_000) }).then(
      // Reads the whole body, so that the timeout does not end it before the app reads it.
      async (response) => new Response(await response.text(), response),
    );
    early[path] = asked;
    return asked;
  };
  const fetchSoon = (): void => {
    for (const href of document.querySelector('template')?.dataset.soon?.match(/\S+/g) ?? []) {
      const as = href.endsWith('css') ? 'style' : 'script';
      document.head.append(
        Object.assign(document.createElement('link'), { rel: 'preload', as, href, crossOrigin: '' }),
      );
    }
  };
  ask(`/checkInvite/${token}`, 'GET')
    .then((response) => response.clone().json())
    .then(({ success, exists, state }) => {
      if (!success || !exists || state === 'BOUND' || !navigator.cookieEnabled) return;
      document.documentElement.dataset.invited = '';
      // After that text is painted, so that the next files do not delay it.
      requestAnimationFrame(() => setTimeout(fetchSoon));
    })
    .catch(() => {});
  // Second, because with HTTP/1.1 only one of the two finds a free connection.
  ask('/auth/anonymous', 'POST').catch(() => {});
  Object.assign(window, { early });
}

/**
 * Retries the page's script or style sheet up to three times if it does not load. If the script still fails, shows the
 * page's error text, if it has one. Uses import(), because a script element would need a trusted address.
 */
export function recoverLost(): void {
  const again = (ask: () => Promise<unknown>, pause: number): void =>
    void setTimeout(() => {
      ask().catch(() => {
        const told = document.querySelector('template');
        if (pause < 3_000) again(ask, pause * 3);
        else if (told) document.body.append(told.content);
      });
    }, pause);
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement) again(() => import(target.src), 300);
      if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
      const tries = Number(target.dataset.tries ?? 0);
      if (tries > 2 || 'later' in target.dataset) return;
      const next = target.cloneNode() as HTMLLinkElement;
      next.dataset.tries = String(tries + 1);
      setTimeout(() => target.replaceWith(next), 300 * 3 ** tries);
    },
    true,
  );
}

const MARK = '<!-- before first paint -->';

/** Inserts the script before the style sheets, because a script after a style sheet waits for it. */
export function beforeFirstPaint(): Plugin {
  return {
    name: 'settee-before-first-paint',
    transformIndexHtml(html, { path, bundle = {} }) {
      const all = [recoverLost, chooseTheme];
      const steps = path.endsWith('/visitor.html') ? [askEarly, ...all, findSeat, nameManifest] : all;
      const script = steps.map((step) => `(${step.toString()})();`).join('');
      const soon = Object.keys(bundle).filter((file) => /\/room-[^/]*\.(js|css)$/.test(file));
      return html
        .replace('data-soon="SOON"', () => `data-soon="${soon.map((file) => `/${file}`).join(' ')}"`)
        .replace(MARK, () => `<script>${minifySync('steps.js', script).code.trim()}</script>`);
    },
  };
}
