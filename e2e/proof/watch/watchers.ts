import { resolve } from 'node:path';
import type { HistoryWriter } from '../history.ts';
import type { Random } from '../random.ts';
import { createAdministrator, createWorld, type Desk } from '../world.ts';
import { countAudit, readAudit } from './audit.ts';
import { readFigures } from './figures.ts';
import { watchPresence } from './presence.ts';
import { watchRevocation } from './revocation.ts';
import { readStaffIds, Scene, type WatchedStage } from './scene.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Each is used for one removal of a device. */
const CHATS = 12;

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
  /** Whether to spend minutes on what takes minutes. */
  thorough: boolean;
}): Promise<Watchers> {
  const { stage, desks, history, random, thorough } = parts;
  history.write({ type: 'watching', properties: ['revocation', 'presence', 'audit', 'figures'] });
  const where = { build: ROOT, env: stage.env, port: stage.signInPort };
  // A later round of the same installation has other people.
  const tag = random.uuid().slice(0, 8);
  const own = await createWorld({ ...where, desks: 1, chatsPerDesk: CHATS, prefix: `watch-${tag}` });
  const administrator = await createAdministrator(where, `admin-${tag}`);
  const staffIds = await readStaffIds(stage.databaseUrl);
  const auditBegan = await countAudit(stage.databaseUrl);
  const scene = new Scene({ stage, history, random, staffIds });
  const [desk] = own;
  if (desk === undefined) throw new Error('the watchers have no desk');
  await desk.handler.call('/handlers/me/availability', { away: true }, 'PUT');
  const watchers = [watchRevocation(scene, desk), watchPresence(scene, desks, desk.chats, thorough)];
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
