import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from './chromium.ts';

export default defineConfig({
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  globalSetup: './stock.setup.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  retries: 0,
  reporter: 'list',
  use: {
    baseURL: process.env.PUBLIC_URL ?? '',
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // A trace with screenshots doubles the time of a test. CI records none.
    trace: process.env.CI ? 'off' : { mode: 'retain-on-failure', screenshots: false },
    launchOptions: chromiumLaunch,
  },
  projects: [
    { name: 'product', testDir: 'product', grepInvert: /@nightly/ },
    // The slow browser tests, and those that have a full size, such as every state at every width.
    {
      name: 'nightly',
      testDir: 'product',
      grep: /@nightly|\[(A11Y-10|MEDIA-29|INVITE-14)\]/,
      timeout: 300_000,
    },
    // Tests that measure time run alone and record nothing.
    { name: 'lighthouse', testDir: 'lighthouse', workers: 1, timeout: 170_000, use: { trace: 'off' } },
    { name: 'frames', testDir: 'frames', workers: 1, timeout: 170_000, use: { trace: 'off' } },
    // The README on a machine with only Node. It installs packages, which takes time.
    {
      name: 'readme',
      testDir: 'readme',
      // Both tests share one machine.
      fullyParallel: false,
      workers: 1,
      timeout: 300_000,
      // The commands print the real address.
      use: { trace: 'off', baseURL: 'http://localhost' },
    },
    // Screenshots of every state: npm run gallery.
    {
      name: 'gallery',
      testDir: 'gallery',
      testMatch: 'gallery.spec.ts',
      teardown: 'gallery sheets',
      use: { contextOptions: { reducedMotion: 'reduce' }, serviceWorkers: 'block', trace: 'off' },
    },
    { name: 'gallery sheets', testDir: 'gallery', testMatch: 'sheets.spec.ts', use: { trace: 'off' } },
  ],
});
