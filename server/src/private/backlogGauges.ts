import { Gauge, type Registry } from 'prom-client';
import { taskNames } from '../platform/metrics/metrics.ts';
import type { Backlog } from './backlog.store.ts';

const SAME =
  'Every process reports the same value: use the maximum, not the sum. Missing while PostgreSQL does not answer.';

/** Sets the gauges. They have no value while the backlog cannot be read. */
export function backlogGauges(registers: Registry[]): (backlog: Backlog | undefined) => void {
  const waiting = new Gauge({
    name: 'settee_conversations_waiting',
    help: `Open conversations with a waiting visitor. ${SAME}`,
    registers,
  });
  const longest = new Gauge({
    name: 'settee_longest_wait_seconds',
    help: `The longest wait of a visitor; 0 when nobody waits. ${SAME}`,
    registers,
  });
  const jobs = new Gauge({
    name: 'settee_jobs_waiting',
    help: `Due jobs that no worker has taken. ${SAME}`,
    labelNames: ['task'],
    registers,
  });
  const lag = new Gauge({
    name: 'settee_job_lag_seconds',
    help: `How long the oldest of these jobs has been due. ${SAME}`,
    labelNames: ['task'],
    registers,
  });
  const webhooks = new Gauge({
    name: 'settee_webhook_lag_seconds',
    help: `How long the oldest due event of an active webhook has waited for its next attempt; 0 when none is due. ${SAME}`,
    registers,
  });
  const backup = new Gauge({
    name: 'settee_last_backup_timestamp_seconds',
    help: `When \`settee backup\` made the newest backup that it verified, in seconds since 1970; 0 if there is none. ${SAME}`,
    registers,
  });
  return (backlog) => {
    waiting.remove();
    longest.remove();
    jobs.reset();
    lag.reset();
    webhooks.remove();
    backup.remove();
    if (backlog === undefined) return;
    waiting.set(backlog.conversations);
    longest.set(backlog.longestWaitSeconds);
    webhooks.set(backlog.webhookLagSeconds);
    backup.set(backlog.backupAt);
    for (const task of taskNames) {
      const due = backlog.jobs.find((each) => each.task === task);
      jobs.set({ task }, due?.waiting ?? 0);
      lag.set({ task }, due?.lagSeconds ?? 0);
    }
  };
}
