import { defineConfig } from 'vitest/config';

const never = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{protocol,server,web,bin,bench,e2e}/**/*.test.{ts,tsx}'],
          exclude: [...never, '**/*.int.test.ts'],
        },
      },
      {
        // Needs the engines: what a file of this kind tests is the real PostgreSQL, NATS and S3.
        test: {
          name: 'int',
          include: ['**/*.int.test.ts'],
          exclude: never,
          globalSetup: ['server/test/engines.setup.ts'],
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
