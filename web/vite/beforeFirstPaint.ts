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

const MARK = '<!-- before first paint -->';

/** Puts the script where the mark stands: ahead of the style sheets, for a script behind one waits for it. */
export function beforeFirstPaint(): Plugin {
  return {
    name: 'settee-before-first-paint',
    transformIndexHtml(html, { path }) {
      const steps = path.endsWith('/visitor.html') ? [chooseTheme, findSeat, nameManifest] : [chooseTheme];
      const script = steps.map((step) => `(${step.toString()})();`).join('');
      return html.replace(MARK, () => `<script>${minifySync('steps.js', script).code.trim()}</script>`);
    },
  };
}
