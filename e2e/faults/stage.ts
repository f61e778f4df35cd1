import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../server/src/db/engine/migrate.ts';
import type { PushService } from '../../server/test/pushService/service.ts';
import { engineControl, startEngines } from '../../tools/engines/engines.ts';
import { freePorts } from '../../tools/freePorts.ts';
import { createDatabase, query } from '../proof/database.ts';
import { GatewayProcess } from '../proof/gatewayProcess.ts';
import { gatewaySettings } from '../proof/gatewaySettings.ts';
import { type Lines, startLines } from '../proof/lines/lines.ts';
import type { Random } from '../proof/random.ts';
import { startPushReceiver } from '../proof/watch/pushReceiver.ts';
import type { Targets } from './faults.ts';

/** Parallel runs have separate engines, so that the faults of one do not affect the other. */
export const INSTANCES = ['fault', 'fault-beside'] as const;
export type Instance = (typeof INSTANCES)[number];
export const ORIGIN = 'http://faults.test';
const DELAY_MAX_MS = 30;
/** A busy device loses its connection a few times a minute. */
const CUT_AFTER_BYTES = 120_000;

/** Two gateways, their engines, and the network between them, which can fail. */
export type Stage = {
  targets: Targets;
  lines: Lines;
  gatewayPorts: number[];
  /** The port of the gateway with the fast clock. */
  aheadPort: number;
  env: Record<string, string>;
  databaseUrl: string;
  push: PushService;
  close(): Promise<void>;
};

export async function setStage(options: {
  instance: Instance;
  random: Random;
  build: string;
  sql: string;
  keep: boolean;
}): Promise<Stage> {
  const { instance, random, build, keep } = options;
  const engines = await startEngines({ instance, require: true, only: ['postgres', 'nats'] });
  const database = await createDatabase(engines.DATABASE_URL, 'fault', async ({ url, ownerUrl }) => {
    await migrate({ databaseUrl: url, databaseOwnerUrl: ownerUrl });
    if (options.sql !== '') await query(ownerUrl, options.sql);
  });
  const natsUrl = new URL(engines.NATS_URL ?? '');
  const gatewayPorts = await freePorts(2);
  const lines = await startLines({
    seed: random.whole(0, 2 ** 31),
    gatewayPorts,
    delayMaxMs: DELAY_MAX_MS,
    databasePort: Number(new URL(database.url).port),
    links: [[Number(natsUrl.port)]],
  });
  await lines.ask({ do: 'cutClients', after: CUT_AFTER_BYTES });
  natsUrl.port = String(lines.links[0]);
  const [, aheadPort = 0] = gatewayPorts;
  const receiver = await startPushReceiver();
  const mediaRoot = mkdtempSync(join(tmpdir(), 'settee-faults-'));
  const env = {
    ...gatewaySettings,
    ...receiver.env,
    MEDIA_ROOT: mediaRoot,
    DATABASE_URL: database.url,
    NATS_URL: natsUrl.href,
    SECRET: 'the secret of the fault suite, the same for both gateways',
    PUBLIC_URL: ORIGIN,
    SWEEP_SECONDS: '1',
    SOCKETS_PER_VISITOR: '1000',
  };
  const gateways = gatewayPorts.map((port, number) => {
    const databaseUrl = new URL(database.url);
    databaseUrl.port = String(lines.databases[number]);
    return new GatewayProcess({
      name: `gateway ${'AB'[number]}`,
      port,
      build,
      env: { ...env, DATABASE_URL: databaseUrl.href },
      clockAnHourAhead: port === aheadPort,
    });
  });
  await Promise.all(gateways.map((gateway) => gateway.start()));
  return {
    targets: {
      gateways,
      lines,
      nats: engineControl('nats', { instance }),
      postgres: engineControl('postgres', { instance }),
    },
    lines,
    gatewayPorts,
    aheadPort,
    env,
    databaseUrl: database.url,
    push: receiver.push,
    async close() {
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      await lines.close();
      await receiver.push.stop();
      rmSync(mediaRoot, { recursive: true, force: true });
      if (!keep) await database.drop();
    },
  };
}
