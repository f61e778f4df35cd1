import { type Access, isOutdated } from '../access/access.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { reason } from '../platform/log/log.ts';
import { authorIdOf, reachOf } from '../platform/ports/caller.ts';
import type { AppendResult, Draft } from '../platform/ports/ports.ts';
import { UnknownOutcome } from './appender.store.ts';
import type { MessageSpan } from './messageSpan.ts';

/** The verified sender. Never taken from the client's data. */
export type Sending = Pick<Access, 'caller' | 'side'>;

/** A text, or an image that was uploaded before. */
type Content = { text: string; mediaId?: undefined } | { mediaId: string; text?: undefined };

/**
 * Stores one message, then notifies everyone. `Refusal('unavailable')` means unknown: only a retry with the same id
 * shows whether it was stored.
 */
export async function sendMessage(
  app: App,
  sending: Sending,
  draft: { conversationId: string; id: string; after?: number | undefined } & Content,
  span?: MessageSpan,
): Promise<{ seq: number; createdAt: number }> {
  const { caller, side } = sending;
  const { conversationId, id, after, text = '', mediaId } = draft;
  // Do not await anything before this: the appender keeps the order of its calls.
  const item: Draft = {
    conversationId,
    id,
    text,
    mediaId: mediaId ?? null,
    fromOwner: side === 'owner',
    authorId: authorIdOf(caller),
    alias: reachOf(caller)?.join(' ') ?? null,
    after: side === 'owner' ? (after ?? null) : null,
    span,
  };
  const result = await append(app, item);
  switch (result.outcome) {
    case 'stored': {
      const { seq, createdAt, handlerAlias, unread, rev, media } = result;
      const message = { conversationId, id, text, seq, sender: side, createdAt, ...media };
      app.announce.messageStored({ message, handlerAlias, unread, rev });
      return { seq, createdAt };
    }
    case 'repeated':
      return { seq: result.seq, createdAt: result.createdAt };
    case 'idReused':
      throw new Refusal('id_reused');
    case 'closed':
      throw new Refusal('conversation_closed');
    case 'mediaRefused':
      throw new Refusal('media_refused');
    case 'outdated':
      throw new Refusal('reply_outdated');
    case 'notFound':
      // In the other cell it will be found.
      throw new Refusal((await isOutdated(app, caller, conversationId)) ? 'unavailable' : 'not_found');
  }
}

function append(app: App, item: Draft): Promise<AppendResult> {
  return app.appender.append(item).catch((error: unknown) => {
    if (!(error instanceof UnknownOutcome)) throw error;
    app.log.warn({ reason: reason(error) }, 'append not confirmed');
    throw new Refusal('unavailable');
  });
}
