import type { App } from '../app.ts';
import { deskOf, type Staff } from '../caller.ts';
import { type Found, findOnDesk } from '../db/search.ts';
import { indexSlice } from '../db/searchIndex.ts';
import { Refused } from '../refused.ts';

/** How long a search brings its desk's index up to date before it answers with what is there. */
const CATCH_UP_MS = 700;

/** The words somebody looks for are theirs: neither they nor an error that may quote them reach the log. */
export async function searchDesk(app: App, staff: Staff, words: string): Promise<Found> {
  const alias = deskOf(staff);
  // A handler without a desk has nothing to search; null would mean every desk.
  if (staff.role !== 'admin' && alias === null) return { conversations: [], messages: [], complete: true };
  try {
    const caughtUp = await catchUp(app, alias);
    const found = await findOnDesk(app.db, alias, words);
    return { ...found, complete: found.complete && caughtUp };
  } catch (error) {
    app.log.error({ code: (error as { code?: string }).code }, 'search failed');
    throw new Refused('unavailable');
  }
}

/** So that a message sent a moment ago is found. False when the time was too short. */
async function catchUp(app: App, alias: string | null): Promise<boolean> {
  const deadline = app.clock.now() + CATCH_UP_MS;
  while (await indexSlice(app.db, { alias, open: false, wait: true })) {
    if (app.clock.now() >= deadline) return false;
  }
  return true;
}
