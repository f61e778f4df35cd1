import type { BrowserContext } from '@playwright/test';

const lasting = new WeakSet<BrowserContext>();

/** Keeps a context open that several tests share. */
export function outlastsTest(context: BrowserContext): void {
  lasting.add(context);
}

export function endsWithTest(context: BrowserContext): boolean {
  return !lasting.has(context);
}
