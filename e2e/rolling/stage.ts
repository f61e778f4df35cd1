import { startEngines } from '../../tools/engines/engines.ts';
import { freePorts } from '../../tools/freePorts.ts';
import { createDatabase } from '../proof/database.ts';
import { GatewayProcess } from '../proof/gatewayProcess.ts';
import { gatewaySettings } from '../proof/gatewaySettings.ts';
import { type Backend, type Balancer, startBalancer } from './balancer.ts';
import { migrateWith } from './releases.ts';

export const INSTANCE = 'rolling';
export const ORIGIN = 'http://rolling.test';
/** For one gateway only, so that pages move between a gateway with traces and one without. Nothing collects them. */
const TRACED = { TRACES_URL: 'http://127.0.0.1:9', TRACES_SHARE: '1' };

/** A gateway and its place in the balancer. */
export type Side = Backend & { process: GatewayProcess };

/** Two gateways behind a balancer, a worker, and their engines. */
export type Stage = {
  sides: [Side, Side];
  worker: GatewayProcess;
  balancer: Balancer;
  env: Record<string, string>;
  /** For `settee migrate`. */
  ownerEnv: Record<string, string>;
  databaseUrl: string;
  close(): Promise<void>;
};

export async function setStage(previous: string, keep: boolean): Promise<Stage> {
  const engines = await startEngines({ instance: INSTANCE, require: true, only: ['postgres', 'nats'] });
  const settings = {
    ...gatewaySettings,
    NATS_URL: engines.NATS_URL ?? '',
    SECRET: 'the secret of the rolling suite, the same for both gateways',
    PUBLIC_URL: ORIGIN,
    RUN_JOBS: 'false',
    // Longer than the balancer needs to notice that a gateway stops.
    STOP_DELAY_SECONDS: '1',
    LOOKUPS_PER_MINUTE: '1000000',
    SEND_PER_SECOND: '100',
  };
  const database = await createDatabase(engines.DATABASE_URL, INSTANCE, ({ url, ownerUrl }) =>
    migrateWith(previous, { ...settings, DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl }),
  );
  const env = { ...settings, DATABASE_URL: database.url };
  const [first, second, third] = [await side('A'), await side('B'), await side('worker')];
  async function side(name: string): Promise<Side> {
    const [port = 0, privatePort = 0] = await freePorts(2);
    const readyUrl = `http://127.0.0.1:${privatePort}/readyz`;
    const isWorker = name === 'worker';
    const process = new GatewayProcess({
      name: isWorker ? name : `gateway ${name}`,
      port,
      readyUrl,
      build: previous,
      env: { ...env, PRIVATE_PORT: String(privatePort), ...(name === 'B' && TRACED) },
      clockAnHourAhead: false,
      ...(isWorker && { entry: 'server/src/jobs/worker.ts' }),
    });
    return { port, readyUrl, process };
  }
  const processes = [first, second, third].map(({ process }) => process);
  await Promise.all(processes.map((each) => each.start()));
  const balancer = await startBalancer([first, second]);
  return {
    sides: [first, second],
    worker: third.process,
    balancer,
    env,
    ownerEnv: { ...env, DATABASE_OWNER_URL: database.ownerUrl },
    databaseUrl: database.url,
    async close() {
      balancer.close();
      await Promise.all(processes.map((each) => each.kill()));
      if (!keep) await database.drop();
    },
  };
}
