import type { Access } from '../access.ts';
import { sendMessage } from '../actions/message/sendMessage.ts';
import type { App } from '../app.ts';
import { Refused } from '../auth/refused.ts';
import { Trail } from '../metrics/trail.ts';

/** Sends as the socket's `send` does, and as often at most, for pages and workers that have none. */
export async function sendByCall(
  app: App,
  access: Access,
  draft: Parameters<typeof sendMessage>[2],
): ReturnType<typeof sendMessage> {
  const { caller } = access;
  if (caller.kind === 'visitor' && !app.sendBudgets.of(caller).take()) throw new Refused('too_many');
  const trail = Trail.of(app.traces, { id: draft.id, side: access.side });
  try {
    const stored = await sendMessage(app, access, draft, trail);
    trail?.end('stored');
    return stored;
  } catch (error) {
    trail?.refused(error instanceof Refused ? error.code : 'unavailable');
    throw error;
  }
}
