import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import { deskOf, type Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { type Found, searchAllDesks, searchOneDesk } from '../../db/search/search.ts';
import { indexSlice } from '../../db/search/searchIndex.ts';
import { recordViews } from '../conversation/recordView.ts';
import type { SearchRun } from './searchQueue.ts';

/** How long a search brings its desk's index up to date before it answers with what is there. */
const CATCH_UP_MS = 700;
/** For each statement of a slice. The last slice may begin when the time above is nearly over. */
const SLICE_MS = 500;

/** The words somebody looks for are theirs: neither they nor an error that may quote them reach the log. */
export async function searchDesk(app: App, staff: Staff, words: string, turn: SearchRun): Promise<Found> {
  const alias = deskOf(staff);
  // A handler without a desk has nothing to search; null would mean every desk.
  if (staff.role !== 'admin' && alias === null) return { conversations: [], messages: [], complete: true };
  const caughtUp = await catchUp(app, alias, turn);
  try {
    const found = await searchOneDesk(app.db, alias, words, turn);
    // What a message says is read here as well.
    await recordViews(app, staff, [...new Set(found.messages.map(({ conversationId }) => conversationId))]);
    return { ...found, complete: found.complete && caughtUp };
  } catch (error) {
    app.log.error({ code: (error as { code?: string }).code }, 'search failed');
    throw new Refusal('unavailable');
  }
}

/** So that a message sent a moment ago is found. False when not all is in the index, for whatever reason. */
async function catchUp(app: App, alias: string | null, turn: SearchRun): Promise<boolean> {
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

/**
 * An administrator's search of all messages. The audit log says that somebody searched, how many characters and how
 * many messages, never the words; and which conversations they read in the result, as for any other door.
 */
export async function searchMessages(app: App, staff: Staff, words: string, turn: SearchRun) {
  const caughtUp = await catchUp(app, null, turn);
  try {
    const { messages, complete } = await searchAllDesks(app.db, words, turn);
    await insertAudit(app.db.sql, {
      actor: staff.staffId,
      action: 'messages.search',
      target: 'messages',
      details: { length: words.length, found: messages.length },
    });
    await recordViews(app, staff, [...new Set(messages.map(({ conversationId }) => conversationId))]);
    app.announce.managementChanged('audit');
    return { messages, complete: complete && caughtUp };
  } catch (error) {
    // An error may quote the words.
    app.log.error({ code: (error as { code?: string }).code }, 'message search failed');
    throw new Refusal('unavailable');
  }
}
