import { cleanMessageText } from '@settee/protocol/model/cleanText';
import type { ErrorCode } from '@settee/protocol/model/errorCodes';
import type { MessageMedia } from '@settee/protocol/model/messageMedia';

/** An uploaded image, as described by the server. */
export type OutgoingImage = { mediaId: string; media: MessageMedia };

/** What the writer of a guarded message had seen: everything up to a number, and an own message just before. */
export type View = { after?: number; behind?: string };

/**
 * draft: in a composer. queued: to be sent. refused: refused for good, its writer may try again. returned: a colleague
 * answered first, or it is held for its names; its writer decides. A record that is sent is removed.
 */
export type UnsentState = 'draft' | 'queued' | 'refused' | 'returned';

/** A text or an uploaded image that the server does not have yet. Its id is that of its message, from the first key. */
export type Unsent = View & {
  id: string;
  conversationId: string;
  text: string;
  /** Begun or, since it is queued, sent at. */
  at: number;
  state: UnsentState;
  picture?: OutgoingImage;
  /** Held because it names this other profile of its writer. */
  names?: string | undefined;
  /** An internal note. It stays a draft until the server has stored it. */
  note?: true;
  /** The server may have stored this text under this id. Another text needs another id. */
  tried?: string;
};

/* draft → queued → sent (removed) | refused | returned → queued or draft. The reducer marks pending messages likewise. */

/** Null if nothing is left of it. */
export function typed(draft: Unsent, text: string): Unsent | null {
  return text === '' ? null : { ...draft, text };
}

/** Its writer sends it. A note stays a draft. */
export function sent(
  { tried, ...draft }: Unsent,
  text: string,
  { at, createId }: { at: number; createId: () => string },
): Unsent {
  const trying = cleanMessageText(text);
  const id = tried === undefined || tried === trying ? draft.id : createId();
  const left = { ...draft, id, text, at };
  return draft.note ? { ...left, tried: trying } : { ...left, state: 'queued' };
}

export function refused(queued: Unsent, code: ErrorCode): Unsent {
  return { ...queued, state: code === 'reply_outdated' ? 'returned' : 'refused' };
}

/** It returns to its composer, before what was typed there since. */
export function edited({ after: _, behind: __, ...record }: Unsent, since = ''): Unsent {
  const { text } = record;
  const both = since === '' ? text : `${text}\n${since}`;
  return { ...record, text: both, state: 'draft', tried: cleanMessageText(text) };
}

/** Whether the text that was tried is all there is. Otherwise it was changed while a note was being stored. */
export function isTried({ text, tried }: Unsent): boolean {
  return tried === cleanMessageText(text);
}
