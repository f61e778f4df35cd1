import type { Page } from '@playwright/test';
import { staffCatalogues, visitorCatalogues } from '@settee/protocol/translations/translations';
import { createHandler, createInvite } from './accounts.ts';
import { enterConsole, expectTexts, newPerson } from './people.ts';
import { expect, test } from './watched.ts';

async function write(page: Page, text: string): Promise<void> {
  const composer = page.locator('textarea');
  await composer.fill(text);
  await composer.press('Enter');
  await expect(composer).toHaveValue('');
}

test('[LANG-01] [LANG-06] [LANG-09] a chat in Arabic, from right to left; both sides change the language and lose no text', async ({
  browser,
}) => {
  const handler = createHandler();
  const { texts } = visitorCatalogues.ar;
  const { page: visitor } = await newPerson(browser, { locale: 'ar', viewport: { width: 390, height: 800 } });
  const { page: desk } = await newPerson(browser, { locale: 'ar' });
  await enterConsole(desk, handler, '/handler');
  await expect(desk.getByRole('heading', { name: staffCatalogues.ar.consoleTexts.queueTitle })).toBeVisible();

  await visitor.goto(createInvite(handler.alias));
  await expect(visitor.locator('html')).toHaveAttribute('lang', 'ar');
  await visitor.getByRole('button', { name: texts.startChat, exact: true }).click();
  await visitor.getByLabel(texts.nameLabel).fill('Salma');
  await visitor.getByRole('button', { name: texts.nameSubmit }).click();
  const said = ['مرحبًا، كيف كانت القراءة؟', 'كانت رائعة.'] as const;
  await write(visitor, said[0]);
  await expect(visitor.getByText(texts.sent, { exact: true })).toBeVisible();
  await desk.getByRole('link', { name: /Salma/ }).click();
  await write(desk, said[1]);
  for (const page of [visitor, desk]) {
    await expectTexts(page, [...said]);
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  }
  // Own messages are at the end of the line: on the left.
  const own = await visitor.locator('[data-side=out]').first().boundingBox();
  const others = await visitor.locator('[data-side=in]').first().boundingBox();
  expect(own?.x).toBeLessThan(others?.x ?? 0);

  await visitor.getByPlaceholder(texts.visitorPlaceholder).fill('Pas encore fini');
  await visitor.getByRole('button', { name: texts.more }).click();
  await visitor.getByRole('menuitem', { name: texts.language }).click();
  await visitor.getByRole('button', { name: 'Français' }).click();
  await expect(visitor.locator('html')).toHaveAttribute('lang', 'fr');
  const composer = visitor.getByPlaceholder(visitorCatalogues.fr.texts.visitorPlaceholder);
  await expect(composer).toHaveValue('Pas encore fini');

  // The language of staff holds in every browser.
  await desk.getByRole('button', { name: staffCatalogues.ar.consoleTexts.me }).first().click();
  await desk.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect(desk.locator('html')).toHaveAttribute('lang', 'de');
  const { page: second } = await newPerson(browser);
  await enterConsole(second, handler, '/handler');
  const { queueTitle } = staffCatalogues.de.consoleTexts;
  await expect(second.getByRole('heading', { name: queueTitle })).toBeVisible();
});
