import { recordViews } from '../conversations/recordView.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import { readDesksShown } from '../platform/db/profileOf.ts';
import { reachOf, type Staff } from '../platform/ports/caller.ts';
import { searchAllDesks, searchDesks } from './search.store.ts';
import { indexSlice } from './searchIndex.store.ts';
import type { SearchRun } from './searchQueue.ts';

/** Maximum time for updating the index before a search. */
const CATCH_UP_MS = 700;
/** Timeout per statement of a slice. The last slice may start just before CATCH_UP_MS is over. */
const SLICE_MS = 500;

/** Search text is private: neither it nor an error that may quote it is logged. */
export async function searchDesk(app: App, staff: Staff, words: string, run: SearchRun) {
  const reach = reachOf(staff);
  const caughtUp = await catchUp(app, reach ?? [null], run);
  try {
    const found = await searchDesks(app.db, reach, words, run);
    // The result shows messages, so it counts as a view.
    await recordViews(app, staff, [...new Set(found.messages.map(({ conversationId }) => conversationId))]);
    return {
      conversations: found.conversations.map((hit) => withDesk(hit, staff)),
      messages: found.messages.map((hit) => withDesk(hit, staff)),
      complete: found.complete && caughtUp,
    };
  } catch (error) {
    app.log.error({ code: (error as { code?: string }).code }, 'search failed');
    throw new Refusal('unavailable');
  }
}

/** Only somebody with several desks is told which one a hit is from. */
function withDesk<Hit extends { handlerAlias?: string | undefined }>(hit: Hit, { desks }: Staff) {
  const { handlerAlias, ...rest } = hit;
  return { ...rest, ...(desks.length > 1 && { handlerAlias }) };
}

/** Indexes recent messages. Returns false if the index is still incomplete. */
async function catchUp(app: App, aliases: readonly (string | null)[], run: SearchRun): Promise<boolean> {
  const deadline = app.clock.now() + CATCH_UP_MS;
  const waiting = [...aliases];
  try {
    for (;;) {
      const [alias] = waiting;
      if (alias === undefined) return true;
      const slice = await indexSlice(app.db, { alias, what: 'all', wait: true, ms: SLICE_MS });
      if (slice === 'done') waiting.shift();
      else if (slice !== 'more') return false;
      if (waiting.length > 0 && (run.outdated || app.clock.now() >= deadline)) return false;
    }
  } catch (error) {
    app.log.warn({ code: (error as { code?: string }).code }, 'search index behind');
    return false;
  }
}

/**
 * An administrator's search of all messages. The audit log records the length of the search text and the number of
 * results, never the text, and the conversations shown.
 */
export async function searchMessages(
  app: App,
  staff: Staff,
  { q: words, profile }: { q: string; profile?: string | undefined },
  run: SearchRun,
) {
  const caughtUp = await catchUp(app, [null], run);
  try {
    const { messages, complete } = await searchAllDesks(
      app.db,
      await readDesksShown(app.db, { profile }),
      words,
      run,
    );
    const details = { length: words.length, found: messages.length, ...(profile && { profile }) };
    await audited(app, staff, (_, record) => record('messages.search', 'messages', details));
    await recordViews(app, staff, [...new Set(messages.map(({ conversationId }) => conversationId))]);
    return { messages, complete: complete && caughtUp };
  } catch (error) {
    // The error may quote the search text.
    app.log.error({ code: (error as { code?: string }).code }, 'message search failed');
    throw new Refusal('unavailable');
  }
}
