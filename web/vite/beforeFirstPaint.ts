import { minifySync, type Plugin } from 'vite';

/*
 * What must be known before the first paint, and what only an address can tell. These functions reach the pages as text, in an inline script that the
 * gateway allows by its hash: they may use nothing from outside themselves. Storage may be forbidden.
 */

/** The person's own choice of theme; without one, the system's wish counts. */
export function chooseTheme(): void {
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {}
}

/** Whether a chat will show, with its header at the top, rather than the profile of someone to start one with. */
export function findSeat(): void {
  try {
    const [, place, token = ''] = location.pathname.split('/');
    const stored = (key: string) => localStorage.getItem(key + decodeURIComponent(token)) !== null;
    const seated = place === 'i' && ['continue_code_', 'first_session_', 'seat_'].some(stored);
    if (seated || place === 'chat') document.documentElement.dataset.seat = '';
  } catch {}
}

/** What is installed is this very chat. The page is the same for all, so its own address says which. */
export function nameManifest(): void {
  const link = document.querySelector<HTMLLinkElement>('[rel=manifest]');
  if (link) link.href = location.pathname.replace(/\/?$/, '/manifest.webmanifest');
}

/**
 * Asks what the page needs first while its scripts are still on their way; `net/early.ts` takes the answers over. Once
 * the link is known to be good, the preloader shows the words above Start chat, and what comes after that is fetched.
 */
export function askEarly(): void {
  const [, place, token] = location.pathname.split('/');
  if (place !== 'i' || !token) return;
  const early: Record<string, Promise<Response>> = {};
  const ask = (path: string, method: string): Promise<Response> => {
    const asked = fetch(path, { method, signal: AbortSignal.timeout(15_000) }).then(
      // Read to the end: the deadline must not cut the body off before the app reads it.
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
      // After those words are painted: what follows them must not hold them up.
      requestAnimationFrame(() => setTimeout(fetchSoon));
    })
    .catch(() => {});
  // Second: with HTTP/1.1 only one of them finds a free connection.
  ask('/auth/anonymous', 'POST').catch(() => {});
  Object.assign(window, { early });
}

/**
 * The page's own script or style sheet did not come: it is asked for three times more. A lost script that still does not
 * come is told, where the page has a place for it. A script element would need a trusted address; import() does not.
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

/** Puts the script where the mark stands: ahead of the style sheets, for a script behind one waits for it. */
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
