import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const never = ['**/node_modules/**', '**/dist/**'];

/** Files whose tests wait for a lease of the product to run out. */
const waitsLong = /\/presence\.int\.test\.ts$/;

/** The long waits first: everything else is done meanwhile. At the end, all others would be waiting for them. */
class LongWaitsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => waitsLong.test(moduleId);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongWaitsFirst },
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
          // One more than the two processors of CI: a good part of them waits, for sweeps, leases and child processes.
          maxWorkers: 3,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
