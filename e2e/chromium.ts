import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { test } from '@playwright/test';

export const chromiumLaunch = {
  executablePath: join(import.meta.dirname, 'chromium.sh'),
  // Chromium needs --no-sandbox to run as root. The other flags prevent requests to Google.
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/**
 * For tests that measure no speed. A test opens new pages, runs their script for seconds, and closes them: to optimize it
 * took a fifth of the CPU time.
 */
const unoptimizedLaunch = {
  ...chromiumLaunch,
  args: [...chromiumLaunch.args, '--js-flags=--no-opt --no-maglev'],
};

const shell = '/usr/lib/chromium/chromium-headless-shell';

/**
 * Chromium without windows, which is also Playwright's default. It takes a third less CPU. It has no notifications and no
 * background sync, and cannot install a page: tests of these use `fullChromium`.
 */
export const shellLaunch =
  process.env.CHROMIUM === undefined && existsSync(shell)
    ? { ...unoptimizedLaunch, executablePath: shell }
    : unoptimizedLaunch;

type Launch = { executablePath: string };
type BrowserOptions = { browserName: string; launchOptions: Launch };

/** For `test.use` in a file that also runs in Firefox. */
export const fullChromium = {
  launchOptions: [
    ({ browserName, launchOptions }: BrowserOptions, use: (launch: Launch) => Promise<void>) =>
      use(browserName === 'chromium' ? unoptimizedLaunch : launchOptions),
    { scope: 'worker', option: true },
  ],
} as Parameters<typeof test.use>[0];
