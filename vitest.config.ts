import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { shellLaunch } from './e2e/chromium.ts';

const never = ['**/node_modules/**', '**/dist/**'];

/**
 * Files share their process and its modules. To start both anew for each file took two thirds of the CPU time of the unit
 * tests and half of that of the integration tests.
 */
const isolate = false;

/** Files that take half a minute and more, and small ones that start slow programs. */
const longest = [
  ...['backup', 'accessMatrix', 'calls', 'doctor', 'ownPostgres', 'restore', 'webhooks', 'mailServer'],
  ...['audit', 'reencode', 'cli', 'truth', 'gateways', 'readiness'],
];

/** The longest first: everything else is done meanwhile. At the end, all others would be waiting for them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = longest.flatMap((name) =>
      sorted.filter(({ moduleId }) => moduleId.endsWith(`/${name}.int.test.ts`)),
    );
    return [...first, ...sorted.filter((file) => !first.includes(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{protocol,server,web,bin,tools,bench,e2e}/**/*.test.{ts,tsx}'],
          exclude: [...never, '**/*.int.test.ts', '**/*.component.test.tsx'],
          isolate,
          // Some start a program, and the machine may be busy. A timeout only ends a test that hangs.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // A test without an assertion fails.
          expect: { requireAssertions: true, poll: { timeout: 30_000 } },
        },
      },
      {
        // One component at a time, in a real browser, without a server behind it.
        plugins: [react()],
        // Bundled before the first test: a dependency found later would reload the page under a running test.
        optimizeDeps: {
          include: [
            'react',
            'react/jsx-runtime',
            'react/jsx-dev-runtime',
            'react-dom',
            'react-dom/client',
            '@simplewebauthn/browser',
            '@tanstack/react-query',
            'react-router',
            'react-router/dom',
            'thumbhash',
            'uqr',
            'valibot',
            'virtua',
          ],
        },
        test: {
          name: 'component',
          include: ['web/{src,test}/**/*.component.test.tsx'],
          setupFiles: ['web/test/component.setup.ts'],
          // Only for tests that hang: each key press is a request to the browser, slow on a busy machine.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { requireAssertions: true, poll: { timeout: 30_000 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: shellLaunch,
              contextOptions: {
                locale: 'en-GB',
                timezoneId: 'Europe/Berlin',
                reducedMotion: 'reduce',
                permissions: ['clipboard-read', 'clipboard-write'],
              },
            }),
            instances: [{ browser: 'chromium', viewport: { width: 1280, height: 800 } }],
          },
        },
      },
      {
        // Needs the engines: what a file of this kind tests is the real PostgreSQL, NATS and S3.
        test: {
          name: 'int',
          include: ['**/*.int.test.ts'],
          exclude: never,
          globalSetup: ['server/test/support/engines.setup.ts'],
          setupFiles: ['server/test/support/cheapHashes.setup.ts'],
          pool: 'forks',
          isolate,
          // One more than the two processors of CI: a good part of them waits, for sweeps, leases and child processes.
          maxWorkers: 3,
          // Not beside the other projects, which have another number of workers: `npm test` would refuse to start.
          sequence: { groupOrder: 1 },
          // Only for tests that hang: a slow or busy machine must not reach these.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
