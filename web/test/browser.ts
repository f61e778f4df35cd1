import { vi } from 'vitest';
import { cdp } from 'vitest/browser';

/** The element that the pages render into. The base styles give it the size of the window. */
export function appRoot(): HTMLElement {
  document.getElementById('app')?.remove();
  const root = document.createElement('div');
  root.id = 'app';
  document.body.append(root);
  return root;
}

/** Shows an address without loading it. */
export function goTo(path: string): void {
  history.replaceState(null, '', path);
}

/** The storage of another window. A change there is an event here. */
export function storageElsewhere(): Storage {
  const other = document.createElement('iframe');
  other.hidden = true;
  document.body.append(other);
  return (other.contentWindow as Window).localStorage;
}

/** Waits for the next animation frame, which is later on a slow page. */
export const frame = () => new Promise((done) => requestAnimationFrame(done));

/** Moves the fake time, and lets the page work. Without a pause, fake seconds would pass while the page handles one answer. */
export async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await frame();
  await frame();
}

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

/** The width and the height that a finger can touch: base.css adds an invisible border to a small button. */
export function touchSize(element: Element): { width: number; height: number } {
  const { width, height } = element.getBoundingClientRect();
  const border = getComputedStyle(element, '::after');
  const beyond = (side: string) => Math.max(0, -Number.parseFloat(side) || 0);
  return {
    width: width + beyond(border.left) + beyond(border.right),
    height: height + beyond(border.top) + beyond(border.bottom),
  };
}

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

/** A JPEG that the browser draws. */
export async function aPhoto(name: string, width = 60, height = 40): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = 'teal';
  context.fillRect(0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg' });
  return new File([blob], name, { type: 'image/jpeg' });
}

/** Chromium does not let a script put a named file on the real clipboard. The page sees the same event. */
export function paste(...files: File[]): void {
  const clipboardData = carrying(files);
  const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData });
  document.activeElement?.dispatchEvent(event);
}

export function drag(type: string, dataTransfer: DataTransfer): void {
  document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
}

export function drop(...files: File[]): void {
  for (const type of ['dragenter', 'dragover', 'drop']) drag(type, carrying(files));
}

export function carrying(files: File[]): DataTransfer {
  const data = new DataTransfer();
  for (const file of files) data.items.add(file);
  return data;
}

/** A slow disk: IndexedDB confirms no write until `release`. */
export function holdDisk() {
  const { add } = IDBObjectStore.prototype;
  const { commit } = IDBTransaction.prototype;
  let holds = true;
  IDBTransaction.prototype.commit = () => undefined;
  IDBObjectStore.prototype.add = function (...args: Parameters<typeof add>) {
    const keepOpen = (): void => {
      if (holds) this.count().onsuccess = keepOpen;
    };
    keepOpen();
    return add.apply(this, args);
  };
  function release(): void {
    holds = false;
    IDBTransaction.prototype.commit = commit;
    IDBObjectStore.prototype.add = add;
  }
  return { release };
}
