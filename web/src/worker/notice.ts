import { Seq, Uuid } from '@settee/protocol/ids';
import { PushPayload } from '@settee/protocol/push';
import { pushTexts } from '@settee/protocol/pushTexts';
import { texts } from '@settee/protocol/texts';
import * as v from 'valibot';
import type { NoticeOptions, PushEvent } from './scope.ts';

/** What a notification is about: it stays with it until the click. */
const About = v.object({
  to: v.picklist(['visitor', 'staff']),
  conversationId: v.optional(Uuid),
  seq: v.optional(Seq),
});
export type About = v.InferOutput<typeof About>;

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

/** One that the page itself has shown says nothing of it. */
export function readAbout(data: unknown): About | undefined {
  const about = v.safeParse(About, data);
  return about.success ? about.output : undefined;
}

/**
 * Who wrote, and that there is something: never what, for a screen may lie open on a table. A push that cannot be read
 * shows something too, because browsers take the right to push from whoever shows nothing.
 */
export function noticeOf(payload: PushPayload | undefined, mayReply: boolean): Notice {
  if (payload === undefined) return { title: texts.noticeBody, options: look };
  const { kind, to } = payload;
  if (kind === 'test') {
    const options = { ...look, body: pushTexts.testBody, tag: 'test', renotify: true, data: { to } };
    return { title: payload.title, options };
  }
  const { title, conversationId, seq } = payload;
  const options = messageOptions({ to, conversationId, seq }, texts.noticeBody);
  if (to === 'staff' && mayReply) {
    const words = { title: pushTexts.reply, placeholder: pushTexts.replyPlaceholder };
    options.actions = [{ action: REPLY, type: 'text', ...words }];
  }
  return { title, options };
}

/** In the place of the one that was answered. With the words where nothing else could keep them. */
export function replyFailedNotice(title: string, about: About, words?: string): Notice {
  const body = words === undefined ? pushTexts.replyFailed : `${pushTexts.replyFailed}\n${words}`;
  return { title, options: messageOptions(about, body) };
}

/** One per conversation: the next takes the place of the last, and is heard again. */
function messageOptions(about: About, body: string): NoticeOptions {
  const tag = about.conversationId;
  return { ...look, body, data: about, ...(tag !== undefined && { tag, renotify: true }) };
}
