import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import { deskOf, type Staff } from '../../caller.ts';
import { type Found, findOnDesk } from '../../db/search/search.ts';
import { indexSlice } from '../../db/search/searchIndex.ts';
import { recordViews } from '../conversation/recordView.ts';
import type { Turn } from './searchTurns.ts';

/** How long a search brings its desk's index up to date before it answers with what is there. */
const CATCH_UP_MS = 700;
/** For each statement of a slice. The last slice may begin when the time above is nearly over. */
const SLICE_MS = 500;

/** The words somebody looks for are theirs: neither they nor an error that may quote them reach the log. */
export async function searchDesk(app: App, staff: Staff, words: string, turn: Turn): Promise<Found> {
  const alias = deskOf(staff);
  // A handler without a desk has nothing to search; null would mean every desk.
  if (staff.role !== 'admin' && alias === null) return { conversations: [], messages: [], complete: true };
  const caughtUp = await catchUp(app, alias, turn);
  try {
    const found = await findOnDesk(app.db, alias, words, turn);
    // What a message says is read here as well.
    await recordViews(app, staff, [...new Set(found.messages.map(({ conversationId }) => conversationId))]);
    return { ...found, complete: found.complete && caughtUp };
  } catch (error) {
    app.log.error({ code: (error as { code?: string }).code }, 'search failed');
    throw new Refusal('unavailable');
  }
}

/** So that a message sent a moment ago is found. False when not all is in the index, for whatever reason. */
export async function catchUp(app: App, alias: string | null, turn: Turn): Promise<boolean> {
  const deadline = app.clock.now() + CATCH_UP_MS;
  try {
    for (;;) {
      const slice = await indexSlice(app.db, { alias, open: false, wait: true, ms: SLICE_MS });
      if (slice !== 'more') return slice === 'done';
      if (turn.outdated || app.clock.now() >= deadline) return false;
    }
  } catch (error) {
    app.log.warn({ code: (error as { code?: string }).code }, 'search index not caught up');
    return false;
  }
}
