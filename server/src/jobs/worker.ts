// The worker process: node server/src/jobs/worker.ts. Any number may run.
import { openMedia } from '../adapters/media.ts';
import { prometheusMetrics } from '../adapters/prometheus.ts';
import { openMail } from '../adapters/smtp.ts';
import { systemClock, systemRandom } from '../adapters/system.ts';
import { openWebhooks } from '../adapters/webhooks.ts';
import { openPush } from '../adapters/webPush.ts';
import { readConfig } from '../config/config.ts';
import { exitWithError, installCrashHandlers } from '../log/crashHandlers.ts';
import { createLog, warnOfMisspelled } from '../log/log.ts';
import { onStopSignal } from '../log/stopSignal.ts';
import { openPrivatePort } from '../private/privatePort.ts';
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
