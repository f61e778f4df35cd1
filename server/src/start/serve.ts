import { setTimeout as sleep } from 'node:timers/promises';
import { type Jobs, startJobs } from '../jobs/jobs.ts';
import { openMail } from '../mail/smtp.adapter.ts';
import { openMedia } from '../media/media.adapter.ts';
import { InProcessBus } from '../platform/adapters/inProcessBus.ts';
import { connectNats } from '../platform/adapters/nats.ts';
import { systemClock, systemRandom } from '../platform/adapters/system.ts';
import type { Config } from '../platform/config/config.ts';
import { installCrashHandlers } from '../platform/log/crashHandlers.ts';
import { createLog, type Log, warnOfMisspelled } from '../platform/log/log.ts';
import { openSecurityLog } from '../platform/log/securityLog.ts';
import { onStopSignal } from '../platform/log/stopSignal.ts';
import type { Bus, Traces } from '../platform/ports/ports.ts';
import { openPrivatePort } from '../private/privatePort.ts';
import { prometheusMetrics } from '../private/prometheus.adapter.ts';
import { openPush } from '../push/webPush.adapter.ts';
import { setupHint } from '../staff/signIn/setupHint.ts';
import { openWebhooks } from '../webhooks/webhooks.adapter.ts';
import { type Gateway, startGateway } from './gateway.ts';

/** OpenTelemetry is loaded only if TRACES_URL is set. */
async function openTraces({ traces }: Config, log: Log): Promise<Traces | undefined> {
  if (traces === undefined) return undefined;
  const { otlpTraces } = await import('../platform/adapters/otlpTraces.ts');
  return otlpTraces(traces, log);
}

/** Runs a gateway until the process ends. */
export async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel, config);
  installCrashHandlers(log);
  if ((config.gateway ?? 1) === 1) warnOfMisspelled(log);
  const security = openSecurityLog({ config, clock: systemClock, log });
  const metrics = prometheusMetrics();
  let bus: Bus | undefined;
  let gateway: Gateway | undefined;
  let jobs: Jobs | undefined;
  const stop = onStopSignal(log, () => {
    // Nothing is served yet, and the database may take long to appear.
    if (gateway === undefined) process.exit(0);
    // Keeps the process alive until then.
    sleep(config.stopDelaySeconds * 1_000)
      .then(() => Promise.all([gateway?.stop(), jobs?.stop()]))
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  });
  // First, so that a process that waits for its engines is alive but not ready.
  await openPrivatePort({
    config,
    log,
    metrics,
    state: () => ({
      starting: gateway === undefined,
      stopping: stop.requested(),
      ...gateway?.state(),
      // Without NATS, there is nothing to be connected to.
      ...(config.natsUrl !== undefined && bus !== undefined && { busConnected: bus.isConnected() }),
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
    security,
    metrics,
    onLeaseLost: () => {
      log.error({}, 'another gateway took the lease');
      process.exit(1);
    },
  });
  const webhooks = openWebhooks(config, systemClock);
  const mail = openMail(config);
  if (config.runJobs) {
    jobs = await startJobs({ config, media, push, webhooks, mail, clock: systemClock, log, metrics });
  }
  log.info({ url: gateway.url, publicUrl: config.publicUrl }, 'listening');
  if ((config.gateway ?? 1) > 1) return;
  const hint = await setupHint(gateway.app).catch((error: unknown) => {
    // A gateway that is stopped at once has closed its connections already.
    if (!stop.requested()) throw error;
  });
  if (hint !== undefined) process.stdout.write(`${hint}\n`);
}
