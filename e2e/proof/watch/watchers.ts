import { resolve } from 'node:path';
import { fullSize } from '../../../tools/fullSize.ts';
import type { WatchedProperty } from '../checks/watchedProperties.ts';
import type { HistoryWriter } from '../history.ts';
import type { Random } from '../random.ts';
import { createAdministrator, createWorld, type Desk } from '../world.ts';
import { countAudit, readAudit } from './audit.ts';
import { readFigures } from './figures.ts';
import { watchMedia } from './media.ts';
import { watchPresence } from './presence.ts';
import { watchPushes } from './pushes.ts';
import { watchRevocation } from './revocation.ts';
import { readStaffIds, Scene, type WatchedStage } from './scene.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
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
}): Promise<Watchers> {
  const { stage, desks, history, random } = parts;
  const { push } = stage;
  const patienceMs = fullSize(USUAL_MS, LOST_JOB_MS);
  const where = { build: ROOT, env: stage.env, port: stage.signInPort };
  // A later round of the same installation has other people.
  const tag = random.uuid().slice(0, 8);
  const own = await createWorld({ ...where, desks: 3, chatsPerDesk: CHATS, prefix: `watch-${tag}` });
  const administrator = await createAdministrator(where, `admin-${tag}`);
  const staffIds = await readStaffIds(stage.databaseUrl);
  const auditBegan = await countAudit(stage.databaseUrl);
  const scene = new Scene({ stage, history, random, staffIds });
  const [revoked, pushed, painted] = own as [Desk, Desk, Desk];
  for (const { handler } of own) await handler.call('/handlers/me/availability', { away: true }, 'PUT');
  const properties: WatchedProperty[] = ['revocation', 'presence', 'audit', 'media', 'figures'];
  history.write({
    type: 'watching',
    properties: push === undefined ? properties : [...properties, 'pushes'],
  });
  const watchers = [
    watchRevocation(scene, revoked),
    watchPresence(scene, desks, revoked.chats),
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
