import type { Access } from '../access/access.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { MessageSpan } from './messageSpan.ts';
import { sendMessage } from './sendMessage.ts';

/** Sends like the socket's `send`, with the same rate limit, for pages and service workers without a socket. */
export async function sendOverHttp(
  app: App,
  access: Access,
  draft: Parameters<typeof sendMessage>[2],
): ReturnType<typeof sendMessage> {
  const { caller } = access;
  if (app.appender.isOverloaded(draft.conversationId, access.side)) throw new Refusal('unavailable');
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
