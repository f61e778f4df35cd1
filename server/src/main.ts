import { InProcessBus } from './adapters/inProcessBus.ts';
import { connectNats } from './adapters/nats.ts';
import { systemClock, systemRandom } from './adapters/system.ts';
import { BadConfig, readConfig } from './config.ts';
import { startGateway } from './gateway.ts';
import { PlaceTaken } from './lease.ts';
import { createLog } from './log.ts';

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const bus =
    config.natsUrl === undefined
      ? new InProcessBus().connect()
      : await connectNats(config.natsUrl, config.cell);
  const gateway = await startGateway({
    config,
    bus,
    clock: systemClock,
    random: systemRandom,
    log,
    onLeaseLost: () => {
      log.error({}, 'another gateway took the place of this one');
      process.exit(1);
    },
  });
  log.info({ url: gateway.url, publicUrl: config.publicUrl }, 'listening');
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    log.info({}, 'stopping');
    gateway.stop().then(
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
