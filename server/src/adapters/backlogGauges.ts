import { Gauge, type Registry } from 'prom-client';
import type { Backlog } from '../db/engine/backlog.ts';
import { taskNames } from '../metrics/metrics.ts';

const SAME =
  'The same from every process: take the maximum, never the sum. Missing while PostgreSQL does not answer.';

/** Shows what was read from PostgreSQL; undefined when it could not be, and then there are no numbers but no old ones. */
export function backlogGauges(registers: Registry[]): (backlog: Backlog | undefined) => void {
  const waiting = new Gauge({
    name: 'settee_conversations_waiting',
    help: `Open conversations in which a visitor waits for an answer. ${SAME}`,
    registers,
  });
  const longest = new Gauge({
    name: 'settee_longest_wait_seconds',
    help: `How long the one who waits longest has waited; 0 when nobody does. ${SAME}`,
    registers,
  });
  const jobs = new Gauge({
    name: 'settee_jobs_waiting',
    help: `Jobs that are due and that no worker has taken. ${SAME}`,
    labelNames: ['task'],
    registers,
  });
  const lag = new Gauge({
    name: 'settee_job_lag_seconds',
    help: `For how long the oldest of them has been due. ${SAME}`,
    labelNames: ['task'],
    registers,
  });
  return (backlog) => {
    waiting.remove();
    longest.remove();
    jobs.reset();
    lag.reset();
    if (backlog === undefined) return;
    waiting.set(backlog.conversations);
    longest.set(backlog.longestWaitSeconds);
    for (const task of taskNames) {
      const due = backlog.jobs.find((each) => each.task === task);
      jobs.set({ task }, due?.waiting ?? 0);
      lag.set({ task }, due?.lagSeconds ?? 0);
    }
  };
}
