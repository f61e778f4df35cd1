import { browserBundle } from '../../tools/browserBundle.ts';
import { outboxContract } from '../../web/test/outboxContract.ts';
import { expect, test } from './watched.ts';

let script = '';

test.beforeAll(async () => {
  script = await browserBundle(`${import.meta.dirname}/../../web/test/outboxInBrowser.ts`, 'outbox');
});

// Each test has a new browser context with an empty IndexedDB.
test.beforeEach(({ page }) => page.goto('/'));

for (const promise of Object.keys(outboxContract)) {
  test(`the outbox in IndexedDB ${promise}`, async ({ page }) => {
    await page.evaluate(`${script}; outbox.keeps(${JSON.stringify(promise)})`);
  });
}

test('the outbox in IndexedDB keeps one order for all tabs', async ({ page }) => {
  expect(await page.evaluate(`${script}; outbox.keepsOrderAcrossTabs()`)).toEqual(['z', 'y', 'x']);
});
