import type { Access } from '../access.ts';
import { sendMessage } from '../actions/message/sendMessage.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { MessageSpan } from '../metrics/messageSpan.ts';

/** Sends as the socket's `send` does, and as often at most, for pages and workers that have none. */
export async function sendByCall(
  app: App,
  access: Access,
  draft: Parameters<typeof sendMessage>[2],
): ReturnType<typeof sendMessage> {
  const { caller } = access;
  if (caller.kind === 'visitor' && !app.sendBudgets.of(caller).take()) throw new Refusal('too_many');
  const span = MessageSpan.of(app.traces, { id: draft.id, side: access.side });
  try {
    const stored = await sendMessage(app, access, draft, span);
    span?.end('stored');
    return stored;
  } catch (error) {
    span?.refused(error instanceof Refusal ? error.code : 'unavailable');
    throw error;
  }
}
