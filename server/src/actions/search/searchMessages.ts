import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { findAnywhere } from '../../db/search/search.ts';
import { recordViews } from '../conversation/recordView.ts';
import { catchUp } from './searchDesk.ts';
import type { Turn } from './searchTurns.ts';

/**
 * An administrator's search of all messages. The audit log says that somebody searched, how many characters and how
 * many messages, never the words; and which conversations they read in the result, as for any other door.
 */
export async function searchMessages(app: App, staff: Staff, words: string, turn: Turn) {
  const caughtUp = await catchUp(app, null, turn);
  try {
    const { messages, complete } = await findAnywhere(app.db, words, turn);
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
