import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from './chromium.ts';

export default defineConfig({
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
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
    // Recording costs a good part of the time: in CI only the second try pays it.
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
    launchOptions: chromiumLaunch,
  },
  projects: [
    // In CI a second try tells a fault from a busy machine; tools/check/counts.ts says how many are forgiven.
    { name: 'product', testDir: 'product', retries: process.env.CI ? 1 : 0 },
    // What measures time has the machine to itself, and records nothing meanwhile.
    { name: 'lighthouse', testDir: 'lighthouse', workers: 1, timeout: 170_000, use: { trace: 'off' } },
    { name: 'frames', testDir: 'frames', workers: 1, timeout: 170_000, use: { trace: 'off' } },
    // The README on a machine that has nothing yet: installs, so it takes its time.
    {
      name: 'readme',
      testDir: 'readme',
      // One machine for both.
      fullyParallel: false,
      workers: 1,
      timeout: 300_000,
      // Where it really is, the printed address says.
      use: { trace: 'off', baseURL: 'http://localhost' },
    },
    // Pictures for people to look at; npm run gallery says where.
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
