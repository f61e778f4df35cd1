import type { Page } from '@playwright/test';
import {
  type Language,
  languageNames,
  staffLanguages,
  visitorLanguages,
} from '@settee/protocol/texts/languages';
import { staffCatalogues, visitorCatalogues } from '@settee/protocol/translations/translations';
import { fullSize } from '../../tools/fullSize.ts';
import { themeViolations } from './accessibility.ts';
import { createHandler, createInvite } from './accounts.ts';
import { enterAdmin } from './admins.ts';
import { enterConsole, expectTexts, newPerson } from './people.ts';
import { expect, test } from './watched.ts';

const handler = createHandler();

async function write(page: Page, text: string): Promise<void> {
  const composer = page.locator('textarea');
  await composer.fill(text);
  await composer.press('Enter');
  await expect(composer).toHaveValue('');
}

/** From the link to an answered message, in the language of the visitor's browser. */
async function chatIn(visitor: Page, desk: Page, language: Language, said: [string, string]): Promise<void> {
  const { texts } = visitorCatalogues[language];
  await visitor.goto(createInvite(handler.alias));
  await expect(visitor.locator('html')).toHaveAttribute('lang', language);
  await visitor.getByRole('button', { name: texts.startChat, exact: true }).click();
  await visitor.getByLabel(texts.nameLabel).fill(`Visitor ${language}`);
  await visitor.getByRole('button', { name: texts.nameSubmit }).click();
  await expect(visitor.getByPlaceholder(texts.visitorPlaceholder)).toBeVisible();
  await write(visitor, said[0]);
  await expect(visitor.getByText(texts.sent, { exact: true })).toBeVisible();
  await desk.getByRole('link', { name: new RegExp(`Visitor ${language}`) }).click();
  await write(desk, said[1]);
  await expectTexts(visitor, said);
  await expectTexts(desk, said);
}

test('[LANG-01] [LANG-09] a chat in Arabic: visitor and handler, from right to left', async ({
  browser,
}, testInfo) => {
  const { page: visitor } = await newPerson(browser, { locale: 'ar', viewport: { width: 390, height: 800 } });
  const { page: desk } = await newPerson(browser, { locale: 'ar' });
  await enterConsole(desk, handler, '/handler');
  await expect(desk.getByRole('heading', { name: staffCatalogues.ar.consoleTexts.queueTitle })).toBeVisible();
  await chatIn(visitor, desk, 'ar', ['مرحبًا، كيف كانت القراءة؟', 'كانت رائعة.']);
  for (const page of [visitor, desk]) {
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    expect(await themeViolations(page, 'light')).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  }
  await visitor.screenshot({ path: testInfo.outputPath('visitor.png') });
  await desk.screenshot({ path: testInfo.outputPath('console.png') });
  // Own messages are at the end of the line: on the left.
  const own = await visitor.locator('[data-side=out]').first().boundingBox();
  const others = await visitor.locator('[data-side=in]').first().boundingBox();
  expect(own?.x).toBeLessThan(others?.x ?? 0);
});

test('[LANG-01] a chat in Japanese', async ({ browser }, testInfo) => {
  const { page: visitor } = await newPerson(browser, { locale: 'ja', viewport: { width: 390, height: 800 } });
  const { page: desk } = await newPerson(browser);
  await enterConsole(desk, handler, '/handler');
  await chatIn(visitor, desk, 'ja', ['朗読会はいかがでしたか？', 'とても良かったです。']);
  expect(await themeViolations(visitor, 'light')).toEqual([]);
  await visitor.screenshot({ path: testInfo.outputPath('visitor.png') });
});

test('[LANG-01] a browser that asks for pt-BR sees it at the first paint, without script', async ({
  browser,
}) => {
  const { page } = await newPerson(browser, { locale: 'pt-BR', javaScriptEnabled: false });
  const answer = await page.goto(createInvite(handler.alias));
  expect(answer?.headers().vary).toContain('accept-language');
  await expect(page.locator('html')).toHaveAttribute('lang', 'pt-BR');
  await expect(page.locator('.no-script')).toHaveText(visitorCatalogues['pt-BR'].pageTexts.noScript);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    visitorCatalogues['pt-BR'].landingTexts.landingTitle,
  );
});

test('[LANG-06] a visitor changes the language in the menu, and the draft stays', async ({ browser }) => {
  const { page } = await newPerson(browser, { locale: 'de' });
  const { texts } = visitorCatalogues.de;
  await page.goto(createInvite(handler.alias));
  await page.getByRole('button', { name: texts.startChat, exact: true }).click();
  await page.getByLabel(texts.nameLabel).fill('Jonas Weber');
  await page.getByRole('button', { name: texts.nameSubmit }).click();
  await page.getByPlaceholder(texts.visitorPlaceholder).fill('Noch nicht fertig');
  await page.getByRole('button', { name: texts.more }).click();
  await page.getByRole('menuitem', { name: texts.language }).click();
  await page.getByRole('button', { name: 'Français' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  const composer = page.getByPlaceholder(visitorCatalogues.fr.texts.visitorPlaceholder);
  await expect(composer).toHaveValue('Noch nicht fertig');
});

test('[LANG-06] staff choose their language in the account menu, for every browser', async ({ browser }) => {
  const person = createHandler();
  const [first, second] = [await newPerson(browser), await newPerson(browser)];
  await enterConsole(first.page, person, '/handler');
  await first.page.getByRole('button', { name: staffCatalogues.en.consoleTexts.me }).click();
  await first.page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  const title = staffCatalogues.de.consoleTexts.queueTitle;
  await expect(first.page.getByRole('heading', { name: title })).toBeVisible();
  await enterConsole(second.page, person, '/handler');
  await expect(second.page.getByRole('heading', { name: title })).toBeVisible();
  await expect(second.page.locator('html')).toHaveAttribute('lang', 'de');
});

/** What is wrong with a page on a small phone. */
async function problemsOf(page: Page): Promise<string[]> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return [...(wider > 0 ? [`${wider} px too wide`] : []), ...(await themeViolations(page, 'light'))];
}

// A test for each language: together they take too long for a slow machine.
for (const language of visitorLanguages) {
  test(`[A11Y-10] in ${languageNames[language]}, the visitor’s pages are accessible and fit a phone`, async ({
    browser,
  }) => {
    const { page } = await newPerson(browser, { locale: language, viewport: { width: 360, height: 740 } });
    const { texts } = visitorCatalogues[language];
    await page.goto('/');
    expect(await problemsOf(page)).toEqual([]);
    await page.goto(createInvite(handler.alias));
    await page.getByRole('button', { name: texts.startChat, exact: true }).click();
    await expect(page.getByLabel(texts.nameLabel)).toBeVisible();
    expect(await problemsOf(page)).toEqual([]);
    await page.getByLabel(texts.nameLabel).fill('Tom');
    await page.getByRole('button', { name: texts.nameSubmit }).click();
    await page.getByRole('button', { name: texts.more }).click();
    await expect(page.getByRole('menuitem', { name: texts.language })).toBeVisible();
    expect(await problemsOf(page)).toEqual([]);
  });
}

/** CI looks at the pages with the most text. */
const adminPages = fullSize(
  ['profile', 'integrations'],
  [
    'dashboard',
    'conversations',
    'invites',
    'handlers',
    'hours',
    'integrations',
    'profile',
    'audit',
    'security',
  ],
);

for (const language of staffLanguages) {
  test(`[A11Y-10] in ${languageNames[language]}, the console and the admin area are accessible and fit a phone`, async ({
    browser,
  }) => {
    const viewport = { width: 360, height: 740 };
    const { consoleTexts } = staffCatalogues[language];
    const { page: desk } = await newPerson(browser, { locale: language, viewport });
    await enterConsole(desk, handler, '/handler');
    await expect(desk.getByRole('heading', { name: consoleTexts.queueTitle })).toBeVisible();
    expect(await problemsOf(desk)).toEqual([]);

    const { page } = await newPerson(browser, { locale: language, viewport });
    await enterAdmin(page, { language });
    for (const path of adminPages) {
      await page.goto(`/admin/${path}`);
      // The previews of the profile have headings too.
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      expect([path, await problemsOf(page)]).toEqual([path, []]);
    }
  });
}
