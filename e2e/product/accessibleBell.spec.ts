import { chromiumLaunch } from '../chromium.ts';
import { pushStates } from '../gallery/pushStates.ts';
import { examineStates, galleryOptions } from './accessibility.ts';
import { alsoNightly, expect, test } from './watched.ts';

// Only the full Chromium has notifications.
test.use({ ...galleryOptions, launchOptions: chromiumLaunch });

test(
  '[A11Y-10] notifications: every state passes axe, its fields are readable on touch, and focus returns',
  alsoNightly,
  async ({ browser, desk, watcher }) => {
    expect(await examineStates(pushStates, { browser, desk, watcher }), 'what is wrong, by state').toEqual(
      {},
    );
  },
);
