import type { Task, TaskList } from 'graphile-worker';
import type { JobResult, Metrics, TaskName } from '../metrics/metrics.ts';

/** The same tasks; how each run ended, and how long it took, is counted. */
export function measured(tasks: TaskList, metrics: Metrics): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      measuredTask(name as TaskName, task as Task, metrics),
    ]),
  );
}

function measuredTask(name: TaskName, task: Task, metrics: Metrics): Task {
  return async (payload, helpers) => {
    const began = performance.now();
    const note = (result: JobResult): void => metrics.job(name, result, (performance.now() - began) / 1_000);
    try {
      await task(payload, helpers);
      note('done');
    } catch (error) {
      note(helpers.job.attempts >= helpers.job.max_attempts ? 'given_up' : 'failed');
      throw error;
    }
  };
}
