import { randomUUID } from 'node:crypto';
import { GatewayProcess } from '../../e2e/proof/topology/gatewayProcess.ts';
import { migrate } from '../../server/src/db/engine/migrate.ts';
import type { EngineUrls } from '../engines/engines.ts';
import { freePorts } from '../freePorts.ts';
import type { FreshDatabase } from '../freshDatabase.ts';
import { type Chat, openChat, settee } from './chat.ts';

/** Two gateways, and people who chat. */
export type Installation = {
  environment: Record<string, string>;
  /** The public address. Its port is Caddy's. */
  origin: string;
  edgePort: number;
  ports: readonly [number, number];
  chat: Chat;
  gateways: GatewayProcess[];
};

export async function startInstallation(
  checkout: string,
  engines: EngineUrls,
  database: FreshDatabase,
): Promise<Installation> {
  const [edgePort = 0, ...ports] = await freePorts(3);
  const [one = 0, other = 0] = ports;
  const origin = `https://localhost:${edgePort}`;
  const environment = {
    ...(engines as unknown as Record<string, string>),
    DATABASE_URL: database.url,
    PUBLIC_URL: origin,
    // As in compose.yaml.
    S3_PUBLIC_ENDPOINT: `https://media.localhost:${edgePort}`,
    SECRET: randomUUID() + randomUUID(),
    TRUST_PROXY: 'loopback',
    ...{ HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
  };
  await migrate({ databaseUrl: database.url, databaseOwnerUrl: database.ownerUrl });
  const gateways = ports.map((port, index) => {
    return new GatewayProcess({ name: `gateway ${index + 1}`, port, build: checkout, env: environment });
  });
  for (const gateway of gateways) await gateway.start();
  const chat = await openChat(settee(environment), origin, [one, other]);
  return { environment, origin, edgePort, ports: [one, other], chat, gateways };
}
