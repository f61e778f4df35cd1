import type { Page } from '@playwright/test';
import { texts } from '@settee/protocol/texts/texts';
import { shows } from './stage.ts';

/** Opens the panel of the bell that is on show, once more where it was open. */
export async function openStaffBell(page: Page, until: string): Promise<void> {
  // With nothing open, Esc would lead back to the queue.
  if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape');
  await page.getByRole('button', { name: texts.notifications }).click();
  await shows(page, until);
}
