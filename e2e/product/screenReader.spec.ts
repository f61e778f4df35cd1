import { allStates } from '../gallery/states.ts';
import { galleryOptions, themeViolations } from './accessibility.ts';
import { alsoInFirefox, expect, onlyInFirefox, test } from './watched.ts';

test.use(galleryOptions);

/** The main screens, as a screen reader gets them. `--update-snapshots` writes the files again. */
const screens: Record<string, string> = {
  landing: 'body',
  unclaimed: 'body',
  name: 'body',
  code: 'body',
  chat: 'body',
  'console-sign-in': 'body',
  'console-queue-empty': 'body',
  // Its queue has the times of other states.
  'console-conversation': 'main section:has([role=log])',
};

for (const [name, part] of Object.entries(screens)) {
  test(
    `what a screen reader gets on the screen "${name}" changes only on purpose`,
    alsoInFirefox,
    async ({ page, browser, desk }) => {
      const state = allStates.find((each) => each.name === name);
      await state?.reach({ page, browser, desk });
      await expect(page.locator(part)).toMatchAriaSnapshot({ name: `${name}.aria.yml` });
    },
  );

  // Chromium checks every state: A11Y-10.
  test(
    `[A11Y-10] the screen "${name}" passes axe in Firefox, in both themes`,
    onlyInFirefox,
    async ({ page, browser, desk }) => {
      const state = allStates.find((each) => each.name === name);
      await state?.reach({ page, browser, desk });
      for (const theme of ['light', 'dark'] as const)
        expect(await themeViolations(page, theme), theme).toEqual([]);
    },
  );
}
