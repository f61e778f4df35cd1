// The worker process: node server/src/jobs/worker.ts. Any number may run.

import { openMail } from '../mail/smtp.adapter.ts';
import { openMedia } from '../media/media.adapter.ts';
import { systemClock, systemRandom } from '../platform/adapters/system.ts';
import { readConfig } from '../platform/config/config.ts';
import { exitWithError, installCrashHandlers } from '../platform/log/crashHandlers.ts';
import { createLog, warnOfMisspelled } from '../platform/log/log.ts';
import { onStopSignal } from '../platform/log/stopSignal.ts';
import { openPrivatePort } from '../private/privatePort.ts';
import { prometheusMetrics } from '../private/prometheus.adapter.ts';
import { openPush } from '../push/webPush.adapter.ts';
import { openWebhooks } from '../webhooks/webhooks.adapter.ts';
import { type Jobs, startJobs } from './jobs.ts';

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  installCrashHandlers(log);
  warnOfMisspelled(log);
  const metrics = prometheusMetrics();
  let jobs: Jobs | undefined;
  // Keeps the process alive while it waits for the database; clock timers do not.
  const alive = setInterval(() => {}, 60_000);
  const stop = onStopSignal(log, () => {
    clearInterval(alive);
    if (jobs === undefined) process.exit(0);
    jobs.stop().then(() => process.exit(0), exitWithError);
  });
  await openPrivatePort({
    config,
    log,
    metrics,
    state: () => ({
      starting: jobs === undefined,
      stopping: stop.requested(),
      needsJobs: true,
      ...(jobs !== undefined && { jobsRunning: jobs.areRunning() }),
    }),
  });
  const parts = { clock: systemClock, random: systemRandom };
  jobs = await startJobs({
    config,
    media: await openMedia(config, parts),
    push: openPush(config, systemClock),
    webhooks: openWebhooks(config, systemClock),
    mail: openMail(config),
    clock: systemClock,
    log,
    metrics,
  });
  log.info({ concurrency: jobs.concurrency }, 'working');
}

main().catch(exitWithError);
