import type { Dashboard } from '@settee/protocol/model/dashboard';
import pg from 'pg';
import { type PushService, startPushService } from '../../../server/test/push/pushService.ts';
import { figuresByHand, figuresOf } from '../../../server/test/support/dashboardByHand.ts';
import { makeVapidKey, vapidPublicKey } from '../../../server/testing/rules.ts';
import type { HistoryWriter, WatchedProperty } from '../checks/history.ts';
import type { Random } from '../random.ts';
import { query, ROOT } from '../topology/installation.ts';
import { trySettee } from '../topology/releases.ts';
import { type Browser, createAdministrator, createWorld, type Desk } from '../world/world.ts';
import { watchMedia } from './media.ts';
import { watchPresence } from './presence.ts';
import { watchPushes } from './pushes.ts';
import { watchRevocation } from './revocation.ts';
import { readStaffIds, Scene, type WatchedStage } from './scene.ts';

/** One is enough for one removed device, and for a notification every 45 s. */
const CHATS = 12;

/** How long images and notifications usually take, and how long if a worker was killed. */
const USUAL_MS = 12_000;
const LOST_JOB_MS = 150_000;

export type Watchers = {
  finish(): Promise<void>;
  /** Ends everything at once, for a run that failed. */
  abandon(): void;
};

/**
 * Starts everything that the checker needs beside the messages of the load. Call it when the devices are open and
 * before the faults; call `finish` after the last repair, when the load is at rest and the gateways run, and before
 * `history.close()`. The watchers use their own desks and conversations, except that the handlers of the load set
 * themselves away for a time.
 */
export async function startWatchers(parts: {
  stage: WatchedStage;
  /** The desks of the load. Their handlers are connected all the time. */
  desks: Desk[];
  history: HistoryWriter;
  random: Random;
  /** Whether promises about time are judged. */
  timed: boolean;
  /** Whether it waits for what was lost with a killed worker. */
  patient: boolean;
}): Promise<Watchers> {
  const { stage, desks, history, random, timed } = parts;
  const { push } = stage;
  const patienceMs = parts.patient ? LOST_JOB_MS : USUAL_MS;
  const { env, database, signInPort: port } = stage;
  const where = { build: ROOT, env, database, port };
  const administrator = await createAdministrator(where);
  // A later round of the same installation has other people.
  const tag = random.uuid().slice(0, 8);
  const own = await createWorld({
    ...where,
    administrator,
    desks: 3,
    chatsPerDesk: CHATS,
    prefix: `watch-${tag}`,
  });
  const staffIds = await readStaffIds(stage.databaseUrl);
  const auditBegan = await countAudit(stage.databaseUrl);
  const scene = new Scene({ stage, history, random, staffIds, timed });
  const [revoked, pushed, painted] = own as [Desk, Desk, Desk];
  for (const { handler } of own) await handler.call('/handlers/me/availability', { away: true }, 'PUT');
  const properties: WatchedProperty[] = ['revocation', 'presence', 'audit', 'media', 'figures'];
  history.write({
    type: 'watching',
    properties: push === undefined ? properties : [...properties, 'pushes'],
    timed,
  });
  const watchers = [
    watchRevocation(scene, revoked),
    watchPresence(scene, desks, revoked.chats, parts.patient),
    await watchMedia(scene, painted, patienceMs),
    ...(push === undefined ? [] : [await watchPushes(scene, pushed, { push, patienceMs })]),
  ];
  return {
    async finish() {
      await Promise.all(watchers.map((watcher) => watcher.stop()));
      await readAudit(scene, auditBegan);
      await readFigures(scene, administrator);
      history.write({ type: 'watched', at: Date.now() });
    },
    abandon: () => scene.abandon(),
  };
}

/** The number of the newest entry. */
async function countAudit(databaseUrl: string): Promise<number> {
  const [row] = await query(databaseUrl, 'select coalesce(max(id), 0)::integer from audit');
  return Number(row?.[0]);
}

/** Verifies the hash chain, and counts the entries after this one. */
async function readAudit({ stage, history }: Scene, after: number): Promise<void> {
  const { code, output } = await trySettee(ROOT, stage.env, ['audit', 'verify']);
  history.write({
    type: 'auditChain',
    problem: code === 0 ? null : output.trim(),
    entries: await countAudit(stage.databaseUrl),
  });
  const rows = await query(
    stage.databaseUrl,
    'select action, target, count(*)::integer from audit where id > $1 group by 1, 2',
    [after],
  );
  for (const [action, target, entries] of rows as [string, string, number][])
    history.write({ type: 'audited', action, target, entries });
}

const ZONE = 'Europe/Berlin';
const PERIODS = ['today', '7days'] as const;

/** What the dashboard shows an administrator, and the same from the tables. */
async function readFigures(scene: Scene, administrator: Browser): Promise<void> {
  const client = new pg.Client({ connectionString: scene.stage.databaseUrl });
  await client.connect();
  try {
    for (const period of PERIODS) {
      const path = `/manage/dashboard?period=${period}&zone=${encodeURIComponent(ZONE)}`;
      const answer = await scene.call(administrator, { path, method: 'GET' });
      const dashboard = answer.dashboard as Dashboard;
      const shown = figuresOf(dashboard);
      const tables = await figuresByHand(client, { period, zone: ZONE, now: new Date(dashboard.now) });
      scene.history.write({ type: 'figures', by: 'dashboard', period, figures: shown });
      // The dashboard shows only some desks, and the order of equal ones depends on the collation.
      const handlers = shown.handlers.map(({ alias }) =>
        tables.handlers.find((desk) => desk.alias === alias),
      );
      scene.history.write({ type: 'figures', by: 'tables', period, figures: { ...tables, handlers } });
    }
  } finally {
    await client.end();
  }
}

/** A push service for the watchers, and the settings with which gateways and workers use it. */
export async function startPushReceiver(): Promise<{ push: PushService; env: Record<string, string> }> {
  const privateKey = makeVapidKey();
  const push = await startPushService({ publicKey: vapidPublicKey(privateKey) ?? '' });
  return {
    push,
    env: {
      VAPID_PRIVATE_KEY: privateKey,
      VAPID_SUBJECT: 'mailto:push@settee.example',
      PUSH_HOSTS: push.host,
      NODE_EXTRA_CA_CERTS: push.certificate.certPath,
    },
  };
}
