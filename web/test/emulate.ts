import { vi } from 'vitest';
import { cdp } from 'vitest/browser';

/** Chromium forgets the reduced motion of the configuration when it emulates something else. */
const reducedMotion = { name: 'prefers-reduced-motion', value: 'reduce' };
let media = false;

const always = '(width >= 0px)';
const never = '(width < 0px)';
const onTouch: Record<string, string> = {
  '(pointer: coarse)': always,
  '(pointer: fine)': never,
  '(hover: none)': always,
  '(hover: hover)': never,
};
const touchQuery = (query: string) =>
  query.replace(/\((?:pointer|hover): \w+\)/g, (part) => onTouch[part] ?? part);

let endTouch: (() => void) | undefined;

/**
 * Makes the page a touch screen until the end of the test: `(pointer: coarse)`, without hover, in scripts and styles.
 * The emulation of Chromium would stay: after it, every later test of the same browser page is without hover.
 */
export async function emulateTouch(): Promise<void> {
  const real = globalThis.matchMedia.bind(globalThis);
  vi.stubGlobal('matchMedia', (query: string) => real(touchQuery(query)));
  const changed = new Map<MediaList, string>();
  const change = () => {
    for (const sheet of document.styleSheets) {
      for (const list of mediaOf(sheet.cssRules)) {
        const query = touchQuery(list.mediaText);
        if (query === list.mediaText) continue;
        changed.set(list, list.mediaText);
        list.mediaText = query;
      }
    }
  };
  change();
  // Parts that load later bring their styles.
  const observer = new MutationObserver(change);
  observer.observe(document.head, { childList: true });
  endTouch = () => {
    observer.disconnect();
    for (const [list, query] of changed) list.mediaText = query;
  };
}

/** The conditions of all media rules, also of nested ones. */
function mediaOf(rules: CSSRuleList): MediaList[] {
  return [...rules].flatMap((rule) => [
    ...(rule instanceof CSSMediaRule ? [rule.media] : []),
    ...('cssRules' in rule ? mediaOf(rule.cssRules as CSSRuleList) : []),
  ]);
}

/** Sets a media type such as `print`, or features such as `forced-colors`, until the end of the test. */
export async function emulateMedia(features: Record<string, string>, type = ''): Promise<void> {
  media = true;
  const given = Object.entries(features).map(([name, value]) => ({ name, value }));
  await cdp().send('Emulation.setEmulatedMedia', { media: type, features: [reducedMotion, ...given] });
}

/** Called after each test. */
export async function endEmulation(): Promise<void> {
  endTouch?.();
  endTouch = undefined;
  if (media) await cdp().send('Emulation.setEmulatedMedia', { media: '', features: [reducedMotion] });
  media = false;
}
