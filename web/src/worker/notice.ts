import { Seq, Uuid } from '@settee/protocol/model/ids';
import { PushPayload } from '@settee/protocol/model/push';
import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { texts } from '@settee/protocol/texts/texts';
import * as v from 'valibot';
import type { NoticeOptions, PushEvent } from './scope.ts';

/** What a notification is about: it stays with it until the click. */
const NoticeSubject = v.object({
  to: v.picklist(['visitor', 'staff']),
  conversationId: v.optional(Uuid),
  seq: v.optional(Seq),
  /** Who was signed in to the console when it was shown: a reply is theirs, and nobody else's. */
  staffId: v.optional(v.string()),
  /** Words of a reply stand in it and nowhere else. */
  holdsWords: v.optional(v.boolean()),
});
export type NoticeSubject = v.InferOutput<typeof NoticeSubject>;

export type Notice = { title: string; options: NoticeOptions };

export const REPLY = 'reply';

const look = { icon: '/icon-192.png', badge: '/icon-monochrome-96.png' };

export function readPayload(data: PushEvent['data']): PushPayload | undefined {
  try {
    return v.parse(PushPayload, data?.json());
  } catch {
    return undefined;
  }
}

/** One of an older build may say nothing of it. */
export function parseNoticeSubject(data: unknown): NoticeSubject | undefined {
  const about = v.safeParse(NoticeSubject, data);
  return about.success ? about.output : undefined;
}

/**
 * Who wrote, and that there is something: never what, for a screen may lie open on a table. A push that cannot be read
 * shows something too, because browsers take the right to push from whoever shows nothing.
 */
export function noticeOf(payload: PushPayload | undefined, mayReply: boolean, staffId?: string): Notice {
  if (payload === undefined) return { title: texts.noticeBody, options: look };
  const { kind, to } = payload;
  if (kind === 'test') {
    const options = { ...look, body: pushTexts.testBody, tag: 'test', renotify: true, data: { to } };
    return { title: payload.title, options };
  }
  const { title, conversationId, seq } = payload;
  const about = { to, conversationId, seq, ...(to === 'staff' && staffId !== undefined && { staffId }) };
  const options = messageOptions(about, texts.noticeBody);
  const { reply, replyPlaceholder: placeholder } = pushTexts;
  if (about.staffId !== undefined && mayReply) {
    options.actions = [{ action: REPLY, type: 'text', title: reply, placeholder }];
  }
  return { title, options };
}

/** In the place of the one that was answered: the words are in the console's hands. */
export function replyFailedNotice(title: string, about: NoticeSubject): Notice {
  return { title, options: messageOptions(about, pushTexts.replyFailed) };
}

/** The same where nothing else could keep the words, or no console will ever show them. */
export function replyRefusedNotice(title: string, about: NoticeSubject, words: string): Notice {
  return {
    title,
    options: messageOptions({ ...about, holdsWords: true }, `${pushTexts.replyRefused}\n${words}`),
  };
}

/** One per conversation: the next takes the place of the last, and is heard again. */
function messageOptions(about: NoticeSubject, body: string): NoticeOptions {
  const tag = about.conversationId;
  return { ...look, body, data: about, ...(tag !== undefined && { tag, renotify: true }) };
}
