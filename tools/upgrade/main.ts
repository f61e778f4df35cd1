// The upgrade from 0.1.0 with data: npm run nightly -- --only upgrade
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { killGateways } from '../../e2e/proof/gatewayProcess.ts';
import { startEngines, stopEngines } from '../engines/engines.ts';
import { freePorts } from '../freePorts.ts';
import { createFreshDatabase } from '../freshDatabase.ts';
import { fullSize } from '../fullSize.ts';
import { Tests } from '../ops/tests.ts';
import { send } from './chat.ts';
import { Installation } from './installation.ts';
import { live, type Place } from './life.ts';
import { unpackOldRelease } from './oldRelease.ts';
import {
  continuesElsewhere,
  goesOn,
  hasEveryMessage,
  isHealthy,
  keepsStates,
  messagesFlow,
  passwordsWork,
  showsImages,
  staffSessionsWork,
} from './proofs.ts';
import { differentTables, digestTables } from './rows.ts';

const INSTANCE = 'upgrade';
const CHECKOUT = resolve(import.meta.dirname, '../..');
const MESSAGES = fullSize(2_000, 100_000);

const tests = new Tests();
const folder = mkdtempSync(join(tmpdir(), 'settee-upgrade-'));
const began = performance.now();

async function main(): Promise<void> {
  const build = unpackOldRelease(CHECKOUT);
  const engines = await startEngines({ instance: INSTANCE, require: true, only: ['postgres', 'nats'] });
  const database = await createFreshDatabase(engines.DATABASE_URL, { prefix: INSTANCE });
  const restored = await createFreshDatabase(engines.DATABASE_URL, { prefix: `${INSTANCE}_restored` });
  const [gateway = 0, privatePort = 0, workerPrivate = 0] = await freePorts(3);
  const ports = { gateway, private: privatePort, workerPrivate };
  const origin = `http://127.0.0.1:${gateway}`;
  const settings = {
    NATS_URL: engines.NATS_URL ?? '',
    SECRET: 'the secret of the upgrade suite, the same for both releases',
    PUBLIC_URL: origin,
    MEDIA_ROOT: join(folder, 'media'),
    LOG_LEVEL: 'fatal',
    WEB_ROOT: '/nowhere',
    RUN_JOBS: 'false',
  };
  const place: Place = { origin, port: gateway, databaseUrl: database.ownerUrl };
  // 0.1.0 has one role, which owns the tables. docs/upgrade.md: it becomes DATABASE_OWNER_URL.
  const old = new Installation(build, { ...settings, DATABASE_URL: database.ownerUrl });
  const roles = ({ url, ownerUrl }: typeof database) => ({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });
  const current = new Installation(CHECKOUT, { ...settings, SECURITY_LOG: 'off', ...roles(database) });
  const elsewhere = new Installation(CHECKOUT, {
    ...settings,
    SECURITY_LOG: 'off',
    MEDIA_ROOT: join(folder, 'restored'),
    ...roles(restored),
  });

  await old.settee(['migrate']);
  await old.start(ports);
  const life = await live(old, place, MESSAGES);
  const backup = join(folder, 'backup');
  await old.settee(['backup', '--to', backup]);
  const { active } = life.chats;

  await tests.run('[OPS-112] the migration from 0.1.0 keeps every row of every table', async () => {
    const before = await digestTables(place.databaseUrl);
    const started = performance.now();
    await current.settee(['migrate']);
    const took = ((performance.now() - started) / 1_000).toFixed(1);
    const after = await digestTables(place.databaseUrl, before);
    assert.deepEqual(differentTables(before, after), []);
    const empty = Object.keys(before).filter((table) => before[table]?.rows === 0);
    const rows = Object.values(before).reduce((sum, table) => sum + table.rows, 0);
    console.log(`  ${rows} rows in ${Object.keys(before).length} tables; migrated in ${took} s`);
    console.log(`  tables without rows: ${empty.join(', ')}`);
  });
  await tests.run('[OPS-112] gateways of 0.1.0 keep serving after the migration', async () => {
    await messagesFlow(place, life);
    await hasEveryMessage(place.databaseUrl, life);
  });
  const stopped = performance.now();
  await old.stop();
  await current.start(ports);
  console.log(
    `  one gateway and one worker replaced in ${((performance.now() - stopped) / 1_000).toFixed(1)} s`,
  );

  await tests.run('[OPS-112] after the upgrade, old cookies open every chat with the same messages', () =>
    hasEveryMessage(place.databaseUrl, life),
  );
  await tests.run('[OPS-112] sessions of staff from before the upgrade work', () => staffSessionsWork(life));
  await tests.run('[OPS-112] images from before the upgrade load', () => showsImages(life));
  await tests.run('[OPS-112] every conversation has its state', () => keepsStates(life));
  await tests.run('[OPS-112] continue codes of both releases work', () => continuesElsewhere(place, active));
  await tests.run('[OPS-112] passwords and the profile are the same', () => passwordsWork(place, life));
  await tests.run('[OPS-112] messages flow both ways, and an unused link works', () => goesOn(place, life));
  await tests.run('[OPS-112] the audit log is intact, and settee doctor finds no problem', () =>
    isHealthy(current),
  );

  await tests.run('[OPS-112] 0.1.0 starts again on the migrated database, and then 0.2.0', async () => {
    await current.stop();
    await old.start(ports);
    await hasEveryMessage(place.databaseUrl, life);
    await passwordsWork(place, life);
    await messagesFlow(place, life);
    await old.settee(['audit', 'verify']);
    await old.stop();
    await current.start(ports);
    await hasEveryMessage(place.databaseUrl, life);
    await messagesFlow(place, life);
    await isHealthy(current);
  });

  await current.stop();
  await tests.run('[OPS-32] 0.2.0 restores a backup of 0.1.0', async () => {
    const refused = await elsewhere.try(['restore', '--from', backup]);
    assert.notEqual(refused.code, 0);
    assert.match(refused.output, /--allow-unsigned/);
    await elsewhere.settee(['restore', '--from', backup, '--allow-unsigned']);
    await elsewhere.start(ports);
    await hasEveryMessage(restored.ownerUrl, life);
    await passwordsWork(place, life);
    await showsImages(life);
    await keepsStates(life);
    await send(active.visitor, active.id, 'After the restore');
    await messagesFlow(place, life);
    await isHealthy(elsewhere);
    await elsewhere.stop();
  });
  await Promise.all([database.drop(), restored.drop()]);
  console.log(
    `  ${MESSAGES} messages; everything took ${((performance.now() - began) / 60_000).toFixed(1)} minutes`,
  );
}

try {
  await main();
} catch (error) {
  await tests.run('[OPS-112] the upgrade from 0.1.0 runs to its end', () => Promise.reject(error as Error));
} finally {
  killGateways();
  await stopEngines({ instance: INSTANCE }).catch(console.error);
  rmSync(folder, { recursive: true, force: true });
}
process.exit(tests.close() ? 0 : 1);
