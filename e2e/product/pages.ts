import { expect, type Locator, type Page } from '@playwright/test';

/** Something has a visible focus: an outline, or a text field. */
export async function expectFocusInSight(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(focusOnShow), { message: 'the focus is in sight' })
    .toEqual({ somewhere: true, marked: true });
}

function focusOnShow(): { somewhere: boolean; marked: boolean } {
  const active = document.activeElement;
  if (!active || active === document.body) return { somewhere: false, marked: false };
  const field = active.matches('textarea, input:not([type="checkbox"], [type="radio"])');
  // The outline is around the bubble of a message and around the label of a choice.
  const outlined = [
    active,
    ...active.querySelectorAll('[data-seq]:focus *'),
    ...document.querySelectorAll('label:has(:focus)'),
  ].some((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && outlineWidth !== '0px';
  });
  return { somewhere: true, marked: field || outlined };
}

/** Presses Tab until `wanted` has the focus. */
export async function tabTo(page: Page, wanted: Locator, key = 'Tab'): Promise<void> {
  await expect(wanted.first()).toBeVisible();
  for (let presses = 0; presses < 40; presses += 1) {
    if (await wanted.evaluateAll((found) => found.includes(document.activeElement as HTMLElement))) {
      return expectFocusInSight(page);
    }
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${String(wanted)}`);
}

export const PALETTE = 'ControlOrMeta+k';

export function palette(page: Page): Locator {
  return page.getByRole('combobox', { name: 'Search chats and messages, or type a command...' });
}

/** Opens the palette, types, and presses Enter on this row. */
export async function fromPalette(page: Page, typed: string, row: string | RegExp): Promise<void> {
  await page.keyboard.press(PALETTE);
  await expect(palette(page)).toBeFocused();
  await page.keyboard.type(typed);
  const option = page.getByRole('option', { name: row });
  await expect(option.first()).toBeVisible();
  for (let presses = 0; presses < 40; presses += 1) {
    if ((await option.first().getAttribute('aria-selected')) === 'true') return page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`the arrows do not reach ${String(row)}`);
}

/** Timers of about `length` milliseconds never run, from the page's next load on. */
export async function holdTimers(page: Page, length: number): Promise<void> {
  await page.addInitScript((held) => {
    const { setTimeout } = globalThis;
    // Code may start a timer for the time that is left, a few milliseconds less than the full length.
    const isHeld = (ms = 0) => ms > held - 100 && ms <= held;
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms?: number) => (isHeld(ms) ? 0 : setTimeout(run, ms)),
    });
  }, length);
}

/** Others see for some seconds that a person types. Types more until the other page shows it. */
export async function typeUntilSeen(field: Locator, text: string, seen: Locator): Promise<void> {
  await field.pressSequentially(text);
  await expect(async () => {
    await field.press('Space');
    await field.press('Backspace');
    await expect(seen).toBeAttached({ timeout: 500 });
  }).toPass();
}

/** The number of messages in the browser's outboxes. */
export function unsent(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let all = 0;
    for (const { name = '' } of await indexedDB.databases()) {
      if (!name.startsWith('settee-outbox-')) continue;
      all += await new Promise<number>((resolve) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => {
          const counted = opening.result.transaction('unsent').objectStore('unsent').count();
          counted.onsuccess = () => {
            opening.result.close();
            resolve(counted.result);
          };
        };
      });
    }
    return all;
  });
}
