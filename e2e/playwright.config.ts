import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from './chromium.ts';

export default defineConfig({
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  retries: 0,
  reporter: 'list',
  use: {
    baseURL: process.env.PUBLIC_URL ?? '',
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    trace: 'retain-on-failure',
    launchOptions: chromiumLaunch,
  },
  projects: [
    { name: 'product', testDir: 'product' },
    // What measures time has the machine to itself, and records nothing meanwhile.
    { name: 'lighthouse', testDir: 'lighthouse', workers: 1, timeout: 170_000, use: { trace: 'off' } },
    { name: 'frames', testDir: 'frames', workers: 1, timeout: 170_000, use: { trace: 'off' } },
  ],
});
