import { drawing } from '../gallery/drawings.ts';
import { conversation } from '../gallery/words.ts';
import { createHandler, createInvite } from './accounts.ts';
import { writeHistory } from './database.ts';
import { bubbles, pxFromEnd, startChat } from './people.ts';
import { expectImages, pick } from './sendImages.ts';
import { expect, test } from './watched.ts';

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]) {
  test(`[LOOK-05] the first image that a visitor sends is in view, at ${viewport.width} px`, async ({
    page,
  }) => {
    test.setTimeout(170_000);
    await page.setViewportSize(viewport);
    const invite = createInvite(createHandler().alias);
    await startChat(page, invite, 'Jonas');
    await writeHistory(invite, conversation());
    await page.reload();
    await expect.poll(() => pxFromEnd(page)).toBe(0);
    await pick(page, await drawing('letter', 'letter.jpg', 1_600));
    await expect(page.getByRole('listitem')).toHaveCount(1);
    await page.getByPlaceholder('Message...').press('Enter');
    await expect(bubbles(page, 'out').last().locator('img')).toBeInViewport({ ratio: 0.99 });
    await expectImages(page, 'out', 1);
    await expect.poll(() => pxFromEnd(page)).toBe(0);
  });
}
