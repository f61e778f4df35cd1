import { setTimeout as sleep } from 'node:timers/promises';
import { InProcessBus } from './adapters/inProcessBus.ts';
import { openMedia } from './adapters/media.ts';
import { connectNats } from './adapters/nats.ts';
import { prometheusMetrics } from './adapters/prometheus.ts';
import { systemClock, systemRandom } from './adapters/system.ts';
import { openTraces } from './adapters/traces.ts';
import { openPush } from './adapters/webPush.ts';
import { setupHint } from './cli/setupHint.ts';
import { readConfig } from './config/config.ts';
import { onStopSignal } from './config/stopSignal.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { type Jobs, startJobs } from './jobs/jobs.ts';
import { fail, installCrashHandlers } from './log/crashHandlers.ts';
import { createLog } from './log/log.ts';
import type { Bus } from './ports.ts';
import { openPrivatePort } from './private/privatePort.ts';

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  installCrashHandlers(log);
  const metrics = prometheusMetrics();
  let bus: Bus | undefined;
  let gateway: Gateway | undefined;
  let jobs: Jobs | undefined;
  const stop = onStopSignal(log, () => {
    // Nobody is served yet, and an engine may be long in coming.
    if (gateway === undefined) process.exit(0);
    // Not unref'd: nothing else may be left that keeps the process.
    sleep(config.stopDelaySeconds * 1_000)
      .then(() => Promise.all([gateway?.stop(), jobs?.stop()]))
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  });
  // Before all else: whoever waits for an engine is alive, and not ready.
  await openPrivatePort({
    config,
    log,
    metrics,
    state: () => ({
      starting: gateway === undefined,
      stopping: stop.asked(),
      ...gateway?.state(),
      ...(bus !== undefined && { busConnected: bus.isConnected() }),
      ...(jobs !== undefined && { jobsRunning: jobs.areRunning() }),
    }),
  });
  bus =
    config.natsUrl === undefined
      ? new InProcessBus().connect()
      : await connectNats(config.natsUrl, config.cell);
  const media = await openMedia(config, { clock: systemClock, random: systemRandom });
  const push = openPush(config, systemClock);
  const traces = await openTraces(config, log);
  gateway = await startGateway({
    config,
    bus,
    media,
    push,
    traces,
    clock: systemClock,
    random: systemRandom,
    log,
    metrics,
    onLeaseLost: () => {
      log.error({}, 'another gateway took the place of this one');
      process.exit(1);
    },
  });
  if (config.runJobs) jobs = await startJobs({ config, media, push, clock: systemClock, log, metrics });
  log.info({ url: gateway.url, publicUrl: config.publicUrl }, 'listening');
  const wayIn = await setupHint(gateway.app);
  if (wayIn !== undefined) process.stdout.write(`${wayIn}\n`);
}

main().catch(fail);
