import { defineConfig } from '@playwright/test';
import { firefoxLaunch } from './browsers/firefox.ts';
import { chromiumLaunch, shellLaunch } from './chromium.ts';

export default defineConfig({
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  globalSetup: './stock.setup.ts',
  fullyParallel: true,
  workers: 2,
  // The longest test takes a minute. A timeout only ends a test that hangs.
  timeout: 240_000,
  expect: {
    // One limit for everything. It only ends a test that would otherwise hang.
    timeout: 60_000,
    toPass: { timeout: 60_000 },
    toMatchAriaSnapshot: { pathTemplate: '{testDir}/screens/{arg}{ext}' },
  },
  retries: 0,
  reporter: 'list',
  use: {
    baseURL: process.env.PUBLIC_URL ?? '',
    // Without these, an action that cannot succeed waits for the end of the test, which reports no line.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // A trace with screenshots doubles the time of a test. CI records none.
    trace: process.env.CI ? 'off' : { mode: 'retain-on-failure', screenshots: false },
    launchOptions: chromiumLaunch,
  },
  projects: [
    {
      name: 'product',
      testDir: 'product',
      grepInvert: /@nightly/,
      // An animation costs a redraw for each frame. The nightly runs show them.
      use: { launchOptions: shellLaunch, contextOptions: { reducedMotion: 'reduce' } },
    },
    // The slow browser tests, such as every state at every width.
    {
      name: 'nightly',
      testDir: 'product',
      grep: /@nightly/,
      timeout: 300_000,
      // Full Chromium: the states of notifications are among them.
    },
    // The product in two other browser engines. The first project installs them.
    { name: 'browser root', testDir: 'browsers', testMatch: 'installed.spec.ts', timeout: 1_200_000 },
    {
      name: 'firefox',
      testDir: 'product',
      grep: /@alsoInFirefox/,
      dependencies: ['browser root'],
      use: { browserName: 'firefox', channel: 'moz-firefox', launchOptions: firefoxLaunch },
    },
    {
      name: 'webkit',
      testDir: 'browsers',
      testIgnore: 'installed.spec.ts',
      dependencies: ['browser root'],
      use: { launchOptions: shellLaunch },
    },
    // Tests that measure time run alone and record nothing.
    { name: 'lighthouse', testDir: 'lighthouse', workers: 1, use: { trace: 'off' } },
    { name: 'frames', testDir: 'frames', workers: 1, use: { trace: 'off' } },
    // The README on a machine with only Node. It installs packages, which takes time.
    {
      name: 'readme',
      testDir: 'readme',
      // Both tests share one machine.
      fullyParallel: false,
      workers: 1,
      timeout: 600_000,
      // The commands print the real address.
      use: { trace: 'off', baseURL: 'http://localhost' },
    },
    // The documentation site, which needs no installation: npm run site.
    {
      name: 'site',
      testDir: 'site',
      // The longest pages have a thousand rows, and npm run nightly checks each ten times.
      timeout: 300_000,
      use: { launchOptions: shellLaunch, trace: 'off', baseURL: 'http://localhost' },
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
