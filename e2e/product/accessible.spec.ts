import type { Page } from '@playwright/test';
import { languageNames, staffLanguages, visitorLanguages } from '@settee/protocol/texts/languages';
import { staffCatalogues, visitorCatalogues } from '@settee/protocol/translations/translations';
import { layoutProblems } from '../gallery/layout.ts';
import { pushStates } from '../gallery/pushStates.ts';
import { allStates, stateGroups } from '../gallery/states.ts';
import { examineStates, expectNoSidewaysScroll, galleryOptions, themeViolations } from './accessibility.ts';
import { createHandler, createInvite } from './accounts.ts';
import { enterAdmin } from './admins.ts';
import { enterConsole, newPerson } from './people.ts';
import { alsoInFirefox, expect, nightly, test } from './watched.ts';

test.use(galleryOptions);

/** The screens that everyone sees most, and their part that has a snapshot. `npm run nightly` examines every state. */
const screens: Record<string, string | undefined> = {
  landing: 'body',
  unclaimed: 'body',
  name: 'body',
  code: 'body',
  chat: 'body',
  'console-sign-in': 'body',
  'console-queue-empty': 'body',
  'console-queue-busy': undefined,
  // Its queue has the times of other states.
  'console-conversation': 'main section:has([role=log])',
  'admin-dashboard': undefined,
  'admin-conversations': undefined,
  'admin-invites': undefined,
  handlers: undefined,
};

for (const [name, part] of Object.entries(screens)) {
  test(
    `[A11Y-10] the screen "${name}" passes axe, fits in German and Arabic, and what a screen reader gets changes only on purpose`,
    // `--update-snapshots` writes the files again.
    alsoInFirefox,
    async ({ page, browser, desk }) => {
      const state = allStates.find((each) => each.name === name);
      await state?.reach({ page, browser, desk });
      if (part !== undefined)
        await expect(page.locator(part)).toMatchAriaSnapshot({ name: `${name}.aria.yml` });
      for (const theme of ['light', 'dark'] as const)
        expect(await themeViolations(page, theme), theme).toEqual([]);
      await expectNoSidewaysScroll(page);
      // No control leaves its card, and no text is covered or loses its beginning.
      expect(await layoutProblems(page, state?.again)).toEqual([]);
    },
  );
}

// The same states as in the gallery, so a new gallery state is also checked here.
for (const [group, states] of Object.entries({ ...stateGroups, notifications: pushStates })) {
  test(
    `[A11Y-10] ${group}: every state passes axe, its fields are readable on touch, and focus returns`,
    nightly,
    async ({ browser, desk, watcher }) => {
      expect(await examineStates(states, { browser, desk, watcher }), 'what is wrong, by state').toEqual({});
    },
  );
}

const PHONE = { width: 360, height: 740 };

/** What is wrong with a page on a small phone. */
async function problemsOf(page: Page): Promise<string[]> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return [...(wider > 0 ? [`${wider} px too wide`] : []), ...(await themeViolations(page, 'light'))];
}

for (const language of visitorLanguages) {
  test(
    `[A11Y-10] in ${languageNames[language]}, the visitor’s pages are accessible and fit a phone`,
    nightly,
    async ({ browser }) => {
      const { page } = await newPerson(browser, { locale: language, viewport: PHONE });
      const { texts } = visitorCatalogues[language];
      await page.goto('/');
      expect(await problemsOf(page)).toEqual([]);
      await page.goto(createInvite(createHandler().alias));
      await page.getByRole('button', { name: texts.startChat, exact: true }).click();
      await expect(page.getByLabel(texts.nameLabel)).toBeVisible();
      expect(await problemsOf(page)).toEqual([]);
      await page.getByLabel(texts.nameLabel).fill('Tom');
      await page.getByRole('button', { name: texts.nameSubmit }).click();
      await page.getByRole('button', { name: texts.more }).click();
      await expect(page.getByRole('menuitem', { name: texts.language })).toBeVisible();
      expect(await problemsOf(page)).toEqual([]);
    },
  );
}

const adminPages = [
  ...['dashboard', 'conversations', 'invites', 'handlers', 'integrations', 'profile'],
  ...['hours', 'audit', 'security'],
];

for (const language of staffLanguages) {
  test(
    `[A11Y-10] in ${languageNames[language]}, the console and the admin area are accessible and fit a phone`,
    nightly,
    async ({ browser }) => {
      const { page: desk } = await newPerson(browser, { locale: language, viewport: PHONE });
      await enterConsole(desk, createHandler(), '/handler');
      const { queueTitle } = staffCatalogues[language].consoleTexts;
      await expect(desk.getByRole('heading', { name: queueTitle })).toBeVisible();
      expect(await problemsOf(desk)).toEqual([]);

      const { page } = await newPerson(browser, { locale: language, viewport: PHONE });
      await enterAdmin(page, { language });
      for (const path of adminPages) {
        await page.goto(`/admin/${path}`);
        // The previews of the profile have headings too.
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        expect([path, await problemsOf(page)]).toEqual([path, []]);
      }
    },
  );
}
