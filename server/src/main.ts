import { InProcessBus } from './adapters/inProcessBus.ts';
import { openMedia } from './adapters/media.ts';
import { connectNats } from './adapters/nats.ts';
import { systemClock, systemRandom } from './adapters/system.ts';
import { openTraces } from './adapters/traces.ts';
import { openPush } from './adapters/webPush.ts';
import { BadConfig, readConfig } from './config.ts';
import { firstWayIn } from './firstWayIn.ts';
import { startGateway } from './gateway.ts';
import { startJobs } from './jobs/jobs.ts';
import { PlaceTaken } from './lease.ts';
import { createLog } from './log.ts';

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const bus =
    config.natsUrl === undefined
      ? new InProcessBus().connect()
      : await connectNats(config.natsUrl, config.cell);
  const media = await openMedia(config, { clock: systemClock, random: systemRandom });
  const push = openPush(config, systemClock);
  const traces = await openTraces(config, log);
  const gateway = await startGateway({
    config,
    bus,
    media,
    push,
    traces,
    clock: systemClock,
    random: systemRandom,
    log,
    onLeaseLost: () => {
      log.error({}, 'another gateway took the place of this one');
      process.exit(1);
    },
  });
  const jobs = config.runJobs ? await startJobs({ config, media, push, clock: systemClock, log }) : undefined;
  log.info({ url: gateway.url, publicUrl: config.publicUrl }, 'listening');
  const wayIn = await firstWayIn(gateway.app);
  if (wayIn !== undefined) process.stdout.write(`${wayIn}\n`);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    log.info({}, 'stopping');
    Promise.all([gateway.stop(), jobs?.stop()]).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  const plain = error instanceof BadConfig || error instanceof PlaceTaken;
  console.error(plain ? error.message : error);
  process.exit(1);
});
