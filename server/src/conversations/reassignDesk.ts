import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import type { Staff } from '../platform/ports/caller.ts';
import { listOpenConversations, moveUnusedInvites, readDeskLoad } from '../staff/deskLoad.store.ts';
import { requireSameProfile, requireStaffedDesks } from '../staff/people/peopleRules.ts';
import { handOver } from './handOver.ts';

/** Maximum per call, so that a call ends before the page's timeout. The page repeats the call and shows progress. */
const CONVERSATIONS_AT_ONCE = 25;
const INVITES_AT_ONCE = 1_000;

/**
 * Moves part of a desk's work to a staffed desk. Invites move first, so that new claims arrive at the new desk. Each
 * conversation gets a hand-over note.
 */
export async function moveDesk(
  app: App,
  staff: Staff,
  { from, to }: { from: string; to: string },
): Promise<{ moved: number; left: number }> {
  if (from === to) throw new Refusal('bad_request', peopleTexts.sameDesk);
  let moved = await moveInvites(app, staff, from, to);
  for (const id of await listOpenConversations(app.db, from, CONVERSATIONS_AT_ONCE)) {
    if ((await handOver(app, staff, id, { alias: to, note: '', whileAt: from })) === 'moved') moved += 1;
  }
  const { conversations, invites } = await readDeskLoad(app.db, from);
  return { moved, left: conversations + invites };
}

function moveInvites(app: App, staff: Staff, from: string, to: string): Promise<number> {
  return audited(app, staff, async (db, record) => {
    await requireStaffedDesks(db, [to]);
    await requireSameProfile(db, from, to);
    const invites = await moveUnusedInvites(db, { from, to, limit: INVITES_AT_ONCE });
    if (invites > 0) record('invites.move', from, { to, invites });
    return invites;
  });
}
