import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const never = ['**/node_modules/**', '**/dist/**'];

/** Files that take half a minute and more, the one that mostly waits first. */
const longest = ['presence', 'examples', 'mutants', 'mediaJobs', 'privatePort', 'drain', 'auditCompleteness'];

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
          include: ['{protocol,server,web,bin,bench,e2e}/**/*.test.{ts,tsx}'],
          exclude: [...never, '**/*.int.test.ts'],
          // Some start a program, some wait as long as the product does, and the machine may have much to do.
          testTimeout: 20_000,
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
          // One more than the two processors of CI: a good part of them waits, for sweeps, leases and child processes.
          maxWorkers: 3,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
