import type { Page } from '@playwright/test';
import { texts } from '@settee/protocol/texts/texts';
import { shows } from './stage.ts';

/** Opens the panel of the visible bell. Closes and reopens it if it is open. */
export async function openStaffBell(page: Page, until: string): Promise<void> {
  // Without an open panel, Esc would return to the queue.
  if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape');
  await page.getByRole('button', { name: texts.notifications }).click();
  await shows(page, until);
}
