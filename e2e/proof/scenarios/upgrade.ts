import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../tools/freePorts.ts';
import { createFreshDatabase } from '../../../tools/freshDatabase.ts';
import type { Findings, Run, Scenario } from '../scenario.ts';
import { ROOT, settingsOf, startStores } from '../topology/installation.ts';
import { Release, unpackOldRelease } from '../topology/releases.ts';
import { live, type Place as People, send } from './upgradeLife.ts';
import {
  continuesElsewhere,
  differentTables,
  digestTables,
  goesOn,
  hasEveryMessage,
  isHealthy,
  keepsStates,
  messagesFlow,
  passwordsWork,
  showsImages,
  staffSessionsWork,
} from './upgradeProofs.ts';

/** 0.1.0 and this checkout on one database, and this checkout on another one. */
type Place = {
  people: People;
  old: Release;
  current: Release;
  elsewhere: Release;
  restoredUrl: string;
  backup: string;
  close(): Promise<void>;
};

async function topology({ instance }: Run): Promise<Place> {
  const build = unpackOldRelease(ROOT);
  const { postgresUrl, natsUrl } = await startStores(instance);
  const database = await createFreshDatabase(postgresUrl, { prefix: 'upgrade' });
  const restored = await createFreshDatabase(postgresUrl, { prefix: 'upgrade_restored' });
  const ports = await freePorts(3);
  const [port = 0] = ports;
  const origin = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'settee-upgrade-'));
  const settings = {
    ...settingsOf(instance, { origin, limits: 'of the product' }),
    NATS_URL: natsUrl,
    MEDIA_ROOT: join(folder, 'media'),
    RUN_JOBS: 'false',
  };
  const roles = ({ url, ownerUrl }: typeof database) => ({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });
  const elsewhere = { ...settings, MEDIA_ROOT: join(folder, 'restored'), ...roles(restored) };
  const releases = {
    // 0.1.0 has one role, which owns the tables. CHANGELOG.md: it becomes DATABASE_OWNER_URL.
    old: new Release(build, { ...settings, DATABASE_URL: database.ownerUrl }, ports),
    current: new Release(ROOT, { ...settings, ...roles(database) }, ports),
    elsewhere: new Release(ROOT, elsewhere, ports),
  };
  return {
    ...releases,
    people: { origin, port, databaseUrl: database.ownerUrl },
    restoredUrl: restored.ownerUrl,
    backup: join(folder, 'backup'),
    async close() {
      for (const release of Object.values(releases)) await release.kill();
      await Promise.all([database.drop(), restored.drop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function prove(place: Place, run: Run): Promise<Findings> {
  const { people, old, current, elsewhere, backup } = place;
  const found: Findings = {};
  /** A failed step does not stop the others. */
  const step = async (name: keyof typeof checks, prove: () => Promise<void>): Promise<void> => {
    const problem = await prove().then(
      () => [],
      (error: unknown) => [String((error as Error).stack)],
    );
    found[name] = [...(found[name] ?? []), ...problem];
  };
  await old.settee(['migrate']);
  await old.start();
  const life = await live(old, people, run.size(2_000, 100_000));
  const { active } = life.chats;
  await old.settee(['backup', '--to', backup]);

  await step('rows', async () => {
    const before = await digestTables(people.databaseUrl);
    const began = performance.now();
    await current.settee(['migrate']);
    const took = ((performance.now() - began) / 1_000).toFixed(1);
    assert.deepEqual(differentTables(before, await digestTables(people.databaseUrl, before)), []);
    const rows = Object.values(before).reduce((sum, table) => sum + table.rows, 0);
    run.report.figure(`${rows} rows in ${Object.keys(before).length} tables; migrated in ${took} s`);
  });
  await step('serving', async () => {
    await messagesFlow(people, life);
    await hasEveryMessage(people.databaseUrl, life);
  });
  await old.stop();
  await current.start();
  const after = [
    () => hasEveryMessage(people.databaseUrl, life),
    () => staffSessionsWork(life),
    () => showsImages(life),
    () => keepsStates(life),
    () => continuesElsewhere(people, active),
    () => passwordsWork(people, life),
    () => goesOn(people, life),
  ];
  for (const each of after) await step('upgraded', each);
  await step('healthy', () => isHealthy(current));
  await step('back', async () => {
    await current.stop();
    await old.start();
    await hasEveryMessage(people.databaseUrl, life);
    await passwordsWork(people, life);
    await messagesFlow(people, life);
    await old.settee(['audit', 'verify']);
    await old.stop();
    await current.start();
    await hasEveryMessage(people.databaseUrl, life);
    await messagesFlow(people, life);
    await isHealthy(current);
  });
  await current.stop();
  await step('restored', async () => {
    const refused = await elsewhere.try(['restore', '--from', backup]);
    assert.notEqual(refused.code, 0);
    assert.match(refused.output, /--allow-unsigned/);
    await elsewhere.settee(['restore', '--from', backup, '--allow-unsigned']);
    await elsewhere.start();
    await hasEveryMessage(place.restoredUrl, life);
    await passwordsWork(people, life);
    await showsImages(life);
    await keepsStates(life);
    await send(active.visitor, active.id, 'After the restore');
    await messagesFlow(people, life);
    await isHealthy(elsewhere);
    await elsewhere.stop();
  });
  return found;
}

const checks = {
  rows: '[OPS-112] the migration from 0.1.0 keeps every row of every table',
  serving: '[OPS-112] gateways of 0.1.0 keep serving after the migration',
  upgraded:
    '[OPS-112] after the upgrade, old cookies, sessions, passwords, codes, links and images work, every conversation has its state and messages, and messages flow',
  healthy: '[OPS-112] the audit log is intact, and settee doctor finds no problem',
  back: '[OPS-112] 0.1.0 starts again on the migrated database, and then 0.2.0',
  restored: '[OPS-32] 0.2.0 restores a backup of 0.1.0',
};

export const scenario: Scenario<Place> = {
  what: 'an upgrade from 0.1.0 with data, and back',
  topology,
  prove,
  checks,
};
