import { Seq, Uuid } from '@settee/protocol/model/ids';
import { PushPayload } from '@settee/protocol/model/push';
import * as v from 'valibot';
import { type WorkerTexts, workerTexts } from '../push/workerTexts.ts';
import type { NoticeOptions, PushEvent } from './scope.ts';

/** The data of a notification, stored with it until the click. */
const NoticeSubject = v.object({
  to: v.picklist(['visitor', 'staff']),
  conversationId: v.optional(Uuid),
  seq: v.optional(Seq),
  /** Who was signed in to the console when it was shown. Only they may reply. */
  staffId: v.optional(v.string()),
  /** The notification contains the only copy of a reply. */
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

/** A notification of an older build may have no data. */
export function parseNoticeSubject(data: unknown): NoticeSubject | undefined {
  const about = v.safeParse(NoticeSubject, data);
  return about.success ? about.output : undefined;
}

/**
 * Shows who wrote and that there is a message, but never its text, because others may see the screen. An unreadable
 * push shows a notification too, because browsers revoke the permission if a push shows none.
 */
export function noticeOf(
  payload: PushPayload | undefined,
  mayReply: boolean,
  staffId?: string,
  texts: WorkerTexts = workerTexts,
): Notice {
  if (payload === undefined) return { title: texts.noticeBody, options: look };
  const { kind, to } = payload;
  if (kind === 'test') {
    const options = { ...look, body: texts.testBody, tag: 'test', renotify: true, data: { to } };
    return { title: texts.testTitle, options };
  }
  const { title, conversationId, seq } = payload;
  const about = { to, conversationId, seq, ...(to === 'staff' && staffId !== undefined && { staffId }) };
  const options = messageOptions(about, texts.noticeBody);
  const { reply, replyPlaceholder: placeholder } = texts;
  if (about.staffId !== undefined && mayReply) {
    options.actions = [{ action: REPLY, type: 'text', title: reply, placeholder }];
  }
  return { title, options };
}

/** Replaces the answered notification. The console has the text of the reply. */
export function replyFailedNotice(title: string, about: NoticeSubject, texts = workerTexts): Notice {
  return { title, options: messageOptions(about, texts.replyFailed) };
}

/** The same if the text could not be stored anywhere else, or if no console will show it. */
export function replyRefusedNotice(
  title: string,
  about: NoticeSubject,
  text: string,
  texts = workerTexts,
): Notice {
  return {
    title,
    options: messageOptions({ ...about, holdsWords: true }, `${texts.replyRefused}\n${text}`),
  };
}

/** One notification per conversation: the next one replaces it and alerts again. */
function messageOptions(about: NoticeSubject, body: string): NoticeOptions {
  const tag = about.conversationId;
  return { ...look, body, data: about, ...(tag !== undefined && { tag, renotify: true }) };
}
