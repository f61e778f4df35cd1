import { minifySync, type Plugin } from 'vite';

/*
 * Work before the first paint, and work that depends on the page's address. These functions become an inline script,
 * which the gateway allows by its hash, so they must not use anything outside themselves except the two helpers. Storage
 * may be unavailable.
 */

/**
 * Acts when the screen shows something large that was painted after `since`. A hidden page paints nothing, so it acts
 * after 300 ms.
 */
export function afterPaint(act: () => void, since = 0): void {
  let due = true;
  const once = (): void => {
    if (due) act();
    due = false;
  };
  const wait = (): void => {
    const type = 'largest-contentful-paint';
    setTimeout(once, 300);
    if (PerformanceObserver.supportedEntryTypes.includes(type)) {
      new PerformanceObserver((list) => {
        if (list.getEntries().some(({ startTime }) => startTime > since)) once();
      }).observe({ type, buffered: true });
    } else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(once)));
  };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', wait);
  else wait();
}

/**
 * Loads the fonts and the page's script (see `oneDocument`). Sets the manifest of this chat from the page's address, so
 * that this chat is installed: the HTML is the same for all chats.
 */
export function loadApp(): void {
  document.documentElement.dataset.painted = '';
  const app = document.querySelector<HTMLTemplateElement>('[data-app]');
  if (app) document.head.append(app.content);
  const manifest = document.querySelector<HTMLLinkElement>('[rel=manifest]');
  if (manifest) manifest.href = location.pathname.replace(/\/?$/, '/manifest.webmanifest');
}

/** For a page without requests of its own before that. */
export function loadAfterPaint(): void {
  afterPaint(loadApp);
}

/** Shows the fonts from the first paint on if the service worker has them. Otherwise they would delay the text. */
export function useKeptFonts(): void {
  if (navigator.serviceWorker?.controller) document.documentElement.dataset.painted = '';
}

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
 * Keeps a tap on the server's Start chat until the app takes it (see visitor/firstTap.ts). Enter and Space click too. The
 * browser drops a click if its button is replaced between press and release, so this clicks the new one.
 */
export function keepTap(): void {
  let pressed: Element | null | undefined;
  const on = (type: string, act: (button: HTMLElement | null | undefined) => void): void =>
    addEventListener(type, (event) => {
      const { button = 0, key = ' ' } = event as Partial<MouseEvent & KeyboardEvent>;
      // A release outside the window has the document as its target.
      if (!button && key === ' ') act((event.target as Element).closest?.('.waiting-start, [data-start]'));
    });
  const release = (button: HTMLElement | null | undefined): void => {
    if (pressed && button !== pressed) button?.click();
    pressed = null;
  };
  for (const type of ['mousedown', 'keydown'])
    on(type, (button) => {
      pressed = button;
    });
  for (const type of ['mouseup', 'keyup']) on(type, release);
  on('click', (button) => {
    if (button?.className === 'waiting-start') document.documentElement.dataset.tap = 'kept';
  });
}

/**
 * Checks the link before any script is loaded. If it is valid, the preloader shows Start chat. When that is painted, or
 * the answer takes long, the scripts and their next requests start; `net/early.ts` uses the answers.
 */
export function askEarly(): void {
  const [, place, token] = location.pathname.split('/');
  const { dataset } = document.documentElement;
  if (place !== 'i' || !token) {
    afterPaint(loadApp);
    return;
  }
  const early: Record<string, Promise<Response>> = {};
  const ask = (path: string, method: string): Promise<Response> => {
    const asked = fetch(path, { method, signal: AbortSignal.timeout(15_000) }).then(
      // Reads the whole body, so that the timeout does not end it before the app reads it.
      async (response) => new Response(await response.text(), response),
    );
    early[path] = asked;
    return asked;
  };
  let started = false;
  const start = (): void => {
    if (started) return;
    started = true;
    loadApp();
    ask('/auth/anonymous', 'POST').catch(() => {});
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
      const invited = Boolean(success && exists && state !== 'BOUND' && navigator.cookieEnabled);
      const since = invited ? performance.now() : 0;
      if (invited) dataset.invited = '';
      afterPaint(start, since);
      if (invited) afterPaint(fetchSoon, since);
    })
    .catch(() => afterPaint(start));
  setTimeout(() => afterPaint(start), 'seat' in dataset ? 0 : 300);
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
      // The minifier removes the helpers where no step uses them.
      const script = `(() => { ${afterPaint.toString()} ${loadApp.toString()} ${stepsOf(path)} })()`;
      const soon = Object.keys(bundle).filter((file) => /\/room-[^/]*\.(js|css)$/.test(file));
      return html
        .replace('data-soon="SOON"', () => `data-soon="${soon.map((file) => `/${file}`).join(' ')}"`)
        .replace(MARK, () => `<script>${minifySync('steps.js', script).code.trim()}</script>`);
    },
  };
}

function stepsOf(path: string): string {
  const steps: (() => void)[] = [recoverLost, chooseTheme];
  if (path.endsWith('/visitor.html')) steps.unshift(findSeat, useKeptFonts, askEarly, keepTap);
  if (path.endsWith('/index.html')) steps.push(useKeptFonts, loadAfterPaint);
  return steps.map((step) => `(${step.toString()})();`).join('');
}

const PAGES = /\/(?:index|visitor)\.html$/;
const STYLES = /<link rel="stylesheet" crossorigin href="\/(?<file>[^"]+)">/g;

const SCRIPTS =
  /^\s*<(?:script type="module" crossorigin src|link rel="modulepreload" crossorigin href)=.*\n/gm;

/**
 * Makes the HTML of the public pages enough for the first paint. It contains the style sheet, which the gateway allows by
 * its hash. The scripts wait in a template until something has been painted.
 */
export function oneDocument(): Plugin {
  return {
    name: 'settee-one-document',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { path, bundle = {} }) {
        if (!PAGES.test(path)) return html;
        const scripts = html.match(SCRIPTS) ?? [];
        const page = html
          .replace(SCRIPTS, '')
          .replace(
            STYLES,
            (_, file: string) => `<style data-file="/${file}">${cssOf(bundle[file]).trim()}</style>`,
          )
          .replace(
            /^\s*<\/body>/m,
            (end) => `    <template data-app>\n${scripts.join('')}    </template>\n${end}`,
          );
        if (scripts.length === 0 || !page.includes('<style'))
          this.error(`${path} has other tags: see web/vite/beforeFirstPaint.ts`);
        return page;
      },
    },
  };
}

type Output = { type: string; source?: string | Uint8Array };

function cssOf(output: Output | undefined): string {
  if (output?.source === undefined) throw new Error('the page names a style sheet that was not built');
  return String(output.source);
}
