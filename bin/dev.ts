// npm run dev: engines, migrations, seed, a gateway that restarts when its code changes, and the pages.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'vite';
import { migrate, openDatabase, seed, systemRandom } from '../server/testing/installation.ts';
import { readConfig } from '../server/testing/rules.ts';
import { answers } from '../tools/answers.ts';
import { availableEngines, startEngines } from '../tools/engines/engines.ts';
import { freePort } from '../tools/freePorts.ts';
import { applicationUrl } from '../tools/freshDatabase.ts';

const PAGE_PORT = 5173;

const only = await availableEngines();
const engines = await startEngines({ instance: 'dev', only });
const gatewayPort = await freePort();
const gatewayUrl = `http://127.0.0.1:${gatewayPort}`;
process.env.SETTEE_GATEWAY_URL = gatewayUrl;

// Transformed while the engines start: the first page must not stay white for seconds.
const warmup = {
  clientFiles: ['visitor/main.tsx', 'handler/main.tsx', 'admin/main.tsx', 'landing/main.ts'].map(
    (entry) => `src/${entry}`,
  ),
};
const pages = await createServer({
  configFile: 'web/vite.config.ts',
  server: { port: PAGE_PORT, warmup },
});
await pages.listen();
const publicUrl = new URL(pages.resolvedUrls?.local[0] ?? `http://localhost:${PAGE_PORT}`).origin;

const environment = {
  ...engines,
  DATABASE_URL: applicationUrl(engines.DATABASE_URL),
  ALLOW_UNSAFE_DATABASE: 'true',
  SECRET: 'for development only, known to everyone',
  PORT: String(gatewayPort),
  PUBLIC_URL: publicUrl,
  LOG_LEVEL: 'warn',
  SECURITY_LOG: 'off',
  SECOND_FACTOR: 'optional',
  // Public, like the secret above. Fixed, so that subscriptions survive a restart.
  VAPID_PRIVATE_KEY: 'iU9411YW6OT8zVIgWAq5DkfWUmOt6nDsZILVUtc4k5Q',
  VAPID_SUBJECT: 'mailto:dev@settee.example',
  // A developer reloads more often than a visitor.
  LOOKUPS_PER_MINUTE: '1000',
  LIMIT_FACTOR: '1000',
};
const config = readConfig({ ...environment, ...process.env });
await migrate({ ...config, databaseOwnerUrl: engines.DATABASE_URL });
const db = openDatabase(config.databaseUrl, 2);
const seeded = await seed({ config, db, random: systemRandom });
await db.close();

const gateway: ChildProcess = spawn(
  process.execPath,
  ['--watch-path=server/src', '--watch-path=protocol/src', '--watch-preserve-output', 'server/src/main.ts'],
  { stdio: 'inherit', env: { ...environment, ...process.env } },
);
await answers(`${gatewayUrl}/brand`, () => gateway.exitCode !== null);

console.log(`
  A visitor opens    ${seeded.inviteLink}
  A handler signs in ${publicUrl}/handler
${seeded.handlers.map(({ alias, email, password }) => `    ${alias}: ${email} / ${password}`).join('\n')}
  The admin area     ${publicUrl}/admin
    ${seeded.adminEmail} / ${seeded.adminPassword}

  Open the two in different browser windows. Engines: ${only.join(', ')}${
    only.includes('nats') ? '' : ' (one gateway, so no bus is needed; npm run engines -- start provides all)'
  }.
  Ctrl+C stops the pages and the gateway; npm run engines -- stop stops the engines.
`);

let stopping = false;
const stop = (): void => {
  if (stopping) return;
  stopping = true;
  gateway.kill('SIGTERM');
  gateway.once('exit', () => void pages.close().finally(() => process.exit(0)));
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
gateway.once('exit', (code) => {
  if (!stopping) process.exit(code ?? 1);
});
