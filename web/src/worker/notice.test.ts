import type { PushPayload } from '@settee/protocol/model/push';
import { expect, test } from 'vitest';
import { workerTexts } from '../push/workerTexts.ts';
import {
  noticeOf,
  parseNoticeSubject,
  readPayload,
  replyFailedNotice,
  replyRefusedNotice,
} from './notice.ts';

const conversationId = '3f2b8a52-7d0e-4c39-9a55-0d6a0c1b2e3f';
const message: PushPayload = {
  kind: 'message',
  to: 'visitor',
  conversationId,
  seq: 7,
  title: 'Mara Lindqvist',
};
const pushed = (value: unknown) => ({ json: () => JSON.parse(JSON.stringify(value)) as unknown });

test('[PUSH-09] a visitor sees the profile’s name and that there is a message, and no more', () => {
  const { title, options } = noticeOf(readPayload(pushed(message)), true);
  expect([title, options.body]).toEqual(['Mara Lindqvist', 'New message']);
  expect(options.data).toEqual({ to: 'visitor', conversationId, seq: 7 });
  expect(options.actions).toBeUndefined();
  // The next notification of this chat replaces it and alerts again.
  expect([options.tag, options.renotify]).toEqual([conversationId, true]);
});

test('[PUSH-09] extra fields of a payload are not shown', () => {
  const { title, options } = noticeOf(
    readPayload(pushed({ ...message, text: 'secret', alias: 'desk-7' })),
    true,
  );
  expect(JSON.stringify([title, options])).not.toMatch(/secret|desk-7/);
});

test('[PUSH-09] a handler sees who wrote, and can answer where the platform has buttons', () => {
  const toStaff: PushPayload = { ...message, to: 'staff', title: 'Tom' };
  expect(noticeOf(toStaff, false, 's1').options.actions).toBeUndefined();
  // Nobody is signed in to answer.
  expect(noticeOf(toStaff, true).options.actions).toBeUndefined();
  const { options } = noticeOf(toStaff, true, 's1');
  expect(options.data).toEqual({ to: 'staff', conversationId, seq: 7, staffId: 's1' });
  expect(options.actions).toEqual([
    { action: 'reply', type: 'text', title: 'Reply', placeholder: 'Type your message...' },
  ]);
});

test('[PUSH-09] a test says that it is a test', () => {
  const { title, options } = noticeOf(
    readPayload(pushed({ kind: 'test', to: 'staff', title: 'Notifications work' })),
    true,
  );
  expect([title, options.body]).toEqual(['Notifications work', 'This is what new messages look like.']);
  expect(parseNoticeSubject(options.data)).toEqual({ to: 'staff' });
});

test.each([
  ['nothing at all', null],
  ['no JSON', { json: () => JSON.parse('<html>') as unknown }],
  ['another form', pushed({ kind: 'newer than this worker', to: 'visitor' })],
])('[PUSH-09] %s still shows something', (_, data) => {
  expect(readPayload(data)).toBeUndefined();
  expect(noticeOf(undefined, true).title).toBe('New message');
});

test('[PUSH-23] a reply that was not sent says so in the same place; text that cannot be stored shows in it', () => {
  const about = { to: 'staff', conversationId, seq: 7 } as const;
  const failed = replyFailedNotice('Tom', about);
  expect([failed.options.body, failed.options.tag]).toEqual([
    'Your reply has not been sent yet. Open the chat.',
    conversationId,
  ]);
  expect(parseNoticeSubject(failed.options.data)).toEqual(about);
  const refused = replyRefusedNotice('Tom', about, 'On my way').options;
  expect(refused.body).toBe('Your reply couldn’t be sent. You wrote:\nOn my way');
  expect(parseNoticeSubject(refused.data)).toEqual({ ...about, holdsWords: true });
});

test('[LANG-06] a notification has the texts that the page stored', () => {
  const german = { ...workerTexts, noticeBody: 'Neue Nachricht' };
  expect(noticeOf(readPayload(pushed(message)), false, undefined, german).options.body).toBe(
    'Neue Nachricht',
  );
});
