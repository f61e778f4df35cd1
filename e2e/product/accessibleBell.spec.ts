import { chromiumLaunch } from '../chromium.ts';
import { pushStates } from '../gallery/pushStates.ts';
import { examineStates, galleryOptions } from './examineStates.ts';
import { expect, test } from './watched.ts';

// Only the full Chromium has notifications.
test.use({ ...galleryOptions, launchOptions: chromiumLaunch });

test('[A11Y-09] [A11Y-10] [NET-23] notifications: every state passes axe, its fields are readable on touch, and focus returns', async ({
  browser,
  desk,
  watcher,
}) => {
  expect(await examineStates(pushStates, { browser, desk, watcher }), 'what is wrong, by state').toEqual({});
});
