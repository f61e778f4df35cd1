import type { Down } from '@settee/protocol/frames/down';
import type { VisitorConversation } from '@settee/protocol/model/conversation';
import type { Message, Sender } from '@settee/protocol/model/message';
import { describe, expect, test } from 'vitest';
import { aConversation } from '../../../test/aConversation.ts';
import { type Step, step } from './conversation.ts';
import { type ConversationEvent, type ConversationState, newConversation } from './conversationState.ts';
import { entriesOf, receiptOf } from './entries.ts';
import { guard } from './guard.ts';

const ID = 'c0000000-0000-4000-8000-000000000000';

function view(head: number, more: Partial<VisitorConversation> = {}): VisitorConversation {
  return aConversation(ID, { head, ...more });
}

function message(seq: number, sender: Sender = 'owner', id = `id-${seq}`): Message {
  return { conversationId: ID, seq, id, sender, text: `text ${seq}`, createdAt: seq };
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => message(from + i));
const watched = (head: number, messages = range(1, head)): Down => ({
  type: 'watched',
  conversation: view(head),
  messages,
});

/** Runs events in a row. Returns the last step and everything sent on the way. */
function run(...events: (ConversationEvent | Down)[]): Step & { sent: Step['up'] } {
  return runFrom(newConversation(ID, 'visitor'), ...events);
}

function runFrom(state: ConversationState, ...events: (ConversationEvent | Down)[]) {
  let last: Step = { state, up: [], settled: [], refused: [], unrefused: [], backOff: false };
  const sent: Step['up'] = [];
  for (const event of events) {
    last = step(last.state, event as ConversationEvent);
    sent.push(...last.up);
  }
  return { ...last, sent };
}

const seqs = (state: ConversationState) => state.log.messages.map(({ seq }) => seq);
const texts = (state: ConversationState) => entriesOf(state).map(({ text }) => text);
const write = (id: string, text = id): ConversationEvent[] => [
  { type: 'send', id, text, at: 1 },
  { type: 'stored', id },
];
const ack = (id: string, seq: number): Down => ({ type: 'ack', conversationId: ID, id, seq, createdAt: seq });
const aPicture = (id: string) => {
  const mediaUrl = `/conversations/${ID}/media/${id}`;
  const media = {
    mediaUrl,
    mediaType: 'image/png',
    fileName: 'a.png',
    size: 9,
    width: 3,
    height: 2,
    thumbhash: '',
  };
  return { mediaId: `media-${id}`, media };
};
const show = (id: string): ConversationEvent[] => [
  { type: 'send', id, text: '', at: 1, picture: aPicture(id) },
  { type: 'stored', id },
];
const frames = (sent: Step['up']) =>
  sent.flatMap((frame) =>
    frame.type === 'send' ? [frame.id] : frame.type === 'sendMedia' ? [`${frame.id}: ${frame.mediaId}`] : [],
  );
const sentIds = (sent: Step['up']) => sent.flatMap((frame) => (frame.type === 'send' ? [frame.id] : []));

test('a long outbox is sent in portions: the next message leaves when one has arrived', () => {
  const ids = Array.from({ length: 50 }, (_, at) => `m${at}`);
  const back = run({ type: 'up' }, ...ids.flatMap((id) => write(id)), watched(0));
  expect(sentIds(back.sent)).toEqual(ids.slice(0, 20));
  const later = runFrom(back.state, ack('m0', 1), ack('m1', 2));
  expect(sentIds(later.sent)).toEqual(['m20', 'm21']);
});

describe('the log', () => {
  test('the first connection loads the newest page, a later one the messages after the last number', () => {
    expect(run({ type: 'up' }).up).toEqual([{ type: 'watch', conversationId: ID }]);
    const back = run({ type: 'up' }, watched(3), { type: 'down' }, { type: 'up' });
    expect(back.up).toEqual([{ type: 'watch', conversationId: ID, after: 3 }]);
  });

  test('repeats are ignored, and only the number decides the order', () => {
    const { state } = run(
      { type: 'up' },
      watched(2),
      { type: 'message', message: message(3) },
      { type: 'message', message: message(2) },
      { type: 'message', message: { ...message(3), text: 'another' } },
    );
    expect(seqs(state)).toEqual([1, 2, 3]);
    expect(texts(state)).toEqual(['text 1', 'text 2', 'text 3']);
  });

  test('a message after a gap is held while the missing range is requested once', () => {
    const gap = run(
      { type: 'up' },
      watched(1),
      { type: 'message', message: message(4) },
      { type: 'message', message: message(5) },
    );
    expect(seqs(gap.state)).toEqual([1]);
    expect(gap.sent.filter(({ type }) => type === 'range')).toEqual([
      { type: 'range', conversationId: ID, after: 1 },
    ]);
    const filled = step(gap.state, {
      type: 'messages',
      conversationId: ID,
      messages: range(2, 3),
      head: 5,
    });
    expect(seqs(filled.state)).toEqual([1, 2, 3, 4, 5]);
  });

  test('a month of messages loads page by page', () => {
    let last = run(
      { type: 'up' },
      watched(10),
      { type: 'down' },
      { type: 'up' },
      watched(130, range(11, 60)),
    );
    expect(last.up).toEqual([{ type: 'range', conversationId: ID, after: 60 }]);
    for (const from of [61, 111]) {
      const messages = range(from, Math.min(130, from + 49));
      last = { ...step(last.state, { type: 'messages', conversationId: ID, messages, head: 130 }), sent: [] };
    }
    expect(seqs(last.state)).toEqual(range(1, 130).map(({ seq }) => seq));
    expect(last.up).toEqual([]);
  });

  test('after an answer that fills no gap, the next request waits', () => {
    const stuck = run(
      { type: 'up' },
      watched(1),
      { type: 'message', message: message(3) },
      { type: 'messages', conversationId: ID, messages: [], head: 1 },
    );
    expect(stuck).toMatchObject({ up: [], backOff: true });
    expect(step(stuck.state, { type: 'again' }).up).toEqual([
      { type: 'range', conversationId: ID, after: 1 },
    ]);
  });

  test('a message that arrives before the first page is placed after it', () => {
    const { state } = run(
      { type: 'up' },
      { type: 'message', message: message(101) },
      watched(100, range(51, 100)),
    );
    expect(seqs(state)).toEqual(range(51, 101).map(({ seq }) => seq));
  });

  test('an older page is added before the log; one that does not fit is ignored', () => {
    const { state } = run(
      { type: 'up' },
      watched(60, range(11, 60)),
      { type: 'loadedOlder', messages: range(1, 5) },
      { type: 'loadedOlder', messages: range(6, 10) },
    );
    expect(seqs(state)).toEqual(range(6, 60).map(({ seq }) => seq));
  });
});

describe('sending', () => {
  test('text is cleaned, shown at once, sent only when stored, and becomes the numbered message', () => {
    const typed = run({ type: 'up' }, watched(1), { type: 'send', id: 'a', text: '  hello \u202E\n', at: 5 });
    expect(entriesOf(typed.state).at(-1)).toMatchObject({ text: 'hello', state: 'sending' });
    expect(typed.up).toEqual([]);
    const stored = step(typed.state, { type: 'stored', id: 'a' });
    expect(stored.up).toEqual([{ type: 'send', conversationId: ID, id: 'a', text: 'hello' }]);
    const acked = step(stored.state, ack('a', 2) as ConversationEvent);
    expect(acked.settled).toEqual(['a']);
    expect(acked.state.pending).toEqual([]);
    expect(acked.state.log.messages.at(-1)).toMatchObject({
      seq: 2,
      id: 'a',
      sender: 'visitor',
      text: 'hello',
    });
  });

  test('[C-05] blank text is not sent', () => {
    const { state, sent } = run({ type: 'up' }, watched(0), ...write('a', ' \n '));
    expect(state.pending).toEqual([]);
    expect(sentIds(sent)).toEqual([]);
  });

  test('a message with the id of a pending one is that one: the ack may be lost', () => {
    const { state, settled } = run({ type: 'up' }, watched(0), ...write('a'), {
      type: 'message',
      message: message(1, 'visitor', 'a'),
    });
    expect(settled).toEqual(['a']);
    expect(texts(state)).toEqual(['text 1']);
  });

  test('an acknowledged message stays visible while the gap before it is filled', () => {
    const { state, up } = run({ type: 'up' }, watched(1), ...write('a'), ack('a', 3));
    expect(entriesOf(state).map((entry) => entry.state)).toEqual(['stored', 'stored']);
    expect(up).toEqual([{ type: 'range', conversationId: ID, after: 1 }]);
  });

  test('nothing overtakes a message that is still being stored', () => {
    const late = run({ type: 'up' }, watched(0), { type: 'send', id: 'a', text: 'a', at: 1 }, ...write('b'));
    expect(sentIds(late.sent)).toEqual([]);
    expect(sentIds(step(late.state, { type: 'stored', id: 'a' }).up)).toEqual(['a', 'b']);
  });

  test('after a reconnect all unacknowledged messages are sent again, in order, with the same ids', () => {
    const { sent } = run(
      { type: 'up' },
      watched(0),
      ...write('a'),
      ...write('b'),
      ...write('c'),
      ack('a', 1),
      { type: 'down' },
      { type: 'up' },
      watched(1, []),
    );
    expect(sentIds(sent)).toEqual(['a', 'b', 'c', 'b', 'c']);
  });

  test('unsent messages of an earlier visit are sent first', () => {
    const entry = { id: 'old', conversationId: ID, text: 'old', at: 0 };
    const { sent } = run(...write('new'), { type: 'restored', entries: [entry] }, { type: 'up' }, watched(0));
    expect(sentIds(sent)).toEqual(['old', 'new']);
  });

  test('a retryable refusal pauses sending, then everything is sent again in order', () => {
    const refusal: Down = { type: 'refused', code: 'too_many', conversationId: ID, id: 'a' };
    const held = run({ type: 'up' }, watched(0), ...write('a'), ...write('b'), refusal);
    expect(held).toMatchObject({ up: [], backOff: true });
    const also = step(held.state, { ...refusal, id: 'b' } as ConversationEvent);
    expect(also).toMatchObject({ up: [], backOff: false, state: { refusals: 1 } });
    expect(sentIds(step(also.state, { type: 'again' }).up)).toEqual(['a', 'b']);
  });

  test('a final refusal fails only that message; a retry puts it last', () => {
    const failed = run({ type: 'up' }, watched(0), ...write('a'), ...write('b'), {
      type: 'refused',
      code: 'conversation_closed',
      conversationId: ID,
      id: 'a',
    });
    expect(entriesOf(failed.state).map((entry) => entry.state)).toEqual(['failed', 'sending']);
    const retried = step(failed.state, { type: 'retry', id: 'a' });
    expect(texts(retried.state)).toEqual(['b', 'a']);
    expect(sentIds(retried.up)).toEqual(['a']);
  });

  test('[MSG-05] a final refusal also fails a message that waits, because another one was refused for now', () => {
    const refused = (id: string, code: 'too_many' | 'conversation_closed'): Down => ({
      ...{ type: 'refused', code, conversationId: ID, id },
    });
    const { state } = run(
      ...[{ type: 'up' } as const, watched(0), ...write('a'), ...write('b')],
      refused('b', 'too_many'),
      refused('a', 'conversation_closed'),
    );
    expect(entriesOf(state).map((entry) => entry.state)).toEqual(['failed', 'sending']);
    expect(sentIds(step(state, { type: 'again' }).up)).toEqual(['b']);
    // A second copy of it was refused for now: the server accepts nothing before it.
    const copy = step(state, refused('a', 'too_many') as ConversationEvent);
    expect([copy.unrefused, sentIds(step(copy.state, { type: 'again' }).up)]).toEqual([['a'], ['a', 'b']]);
  });

  test('[PRIVACY-07] a handed-over conversation can still be read, an erased one leaves nothing', () => {
    const open = run({ type: 'up' }, watched(1)).state;
    const gone = { type: 'gone', conversationId: ID } as const;
    expect(step(open, gone).state).toMatchObject({ gone: true, loaded: true, log: open.log });
    const erased = step(open, { ...gone, erased: true }).state;
    expect(erased).toMatchObject({ gone: true, loaded: false, view: null });
    expect(JSON.stringify(erased)).not.toContain('text 1');
  });

  test('[MSG-16] a final refusal is reported once, survives a reload, and is sent only on request', () => {
    const refusal: Down = { type: 'refused', code: 'conversation_closed', conversationId: ID, id: 'a' };
    const failed = run({ type: 'up' }, watched(0), ...write('a'), refusal);
    expect([failed.refused, failed.settled]).toEqual([['a'], []]);
    expect(step(failed.state, { type: 'again' }).refused).toEqual([]);
    const entries = [
      { id: 'a', conversationId: ID, text: 'a', at: 1, refused: true },
      { id: 'b', conversationId: ID, text: 'b', at: 1 },
    ];
    const restored = run({ type: 'restored', entries }, { type: 'up' }, watched(0));
    expect(restored.refused).toEqual([]);
    expect(entriesOf(restored.state).map((entry) => entry.state)).toEqual(['failed', 'sending']);
    expect(sentIds(restored.sent)).toEqual(['b']);
    expect(sentIds(step(restored.state, { type: 'retry', id: 'a' }).up)).toEqual(['a']);
  });

  test('[MSG-16] text being sent when the conversation goes shows as not sent', () => {
    const gone: Down = { type: 'gone', conversationId: ID };
    const left = run(
      { type: 'up' },
      watched(0),
      ...write('a'),
      { type: 'send', id: 'b', text: 'b', at: 1 },
      gone,
    );
    expect(entriesOf(left.state).map((entry) => entry.state)).toEqual(['failed', 'failed']);
    expect([left.refused, left.state.handedBack, left.up]).toEqual([['a', 'b'], [], []]);
    const notOurs: Down = { type: 'refused', code: 'not_found', conversationId: ID };
    expect(entriesOf(run(...write('a'), { type: 'up' }, notOurs).state)).toMatchObject([{ state: 'failed' }]);
  });

  test('a refused watch is retried after a pause; a conversation without access is gone', () => {
    const refused = run({ type: 'up' }, { type: 'refused', code: 'unavailable', conversationId: ID });
    expect(refused).toMatchObject({ up: [], backOff: true });
    expect(step(refused.state, { type: 'again' }).up).toEqual([{ type: 'watch', conversationId: ID }]);
    expect(run({ type: 'up' }, { type: 'refused', code: 'not_found', conversationId: ID }).state.gone).toBe(
      true,
    );
  });
});

describe('images', () => {
  test('[MEDIA-03] an image is sent among the texts in order, with the fields that the server returned', () => {
    const sending = run({ type: 'up' }, watched(0), ...write('a'), ...show('p'), ...write('b'));
    expect(frames(sending.sent)).toEqual(['a', 'p: media-p', 'b']);
    expect(entriesOf(sending.state)[1]).toMatchObject({ key: 'p', text: '', media: aPicture('p').media });
    const acked = runFrom(sending.state, ack('a', 1), ack('p', 2));
    expect(acked.state.log.messages[1]).toMatchObject({ id: 'p', seq: 2, text: '', ...aPicture('p').media });
    expect(acked.settled).toContain('p');
  });

  test('a failed image can be dismissed, here and in the outbox; one being sent cannot', () => {
    const flying = run({ type: 'up' }, watched(1), ...show('p'), { type: 'dropped', id: 'p' });
    expect(flying.state.pending).toMatchObject([{ id: 'p', state: 'flying' }]);
    const dropped = runFrom(
      flying.state,
      { type: 'refused', code: 'media_refused', conversationId: ID, id: 'p' },
      { type: 'dropped', id: 'p' },
    );
    expect([dropped.state.pending, dropped.settled]).toEqual([[], ['p']]);
  });

  test('an image of an earlier visit is sent first, and its upload is not shown twice', () => {
    const entries = [{ id: 'p', conversationId: ID, text: '', at: 0, picture: aPicture('p') }];
    const restored = run(
      { type: 'restored', entries },
      ...show('p'),
      ...write('a'),
      { type: 'up' },
      watched(0),
    );
    expect(frames(restored.sent)).toEqual(['p: media-p', 'a']);
    const again = runFrom(restored.state, ack('p', 1), ...show('p'));
    expect(entriesOf(again.state).map(({ key }) => key)).toEqual(['p', 'a']);
    expect(frames(again.sent)).toEqual([]);
  });

  test('an image with a final refusal stays and can be retried', () => {
    const refused: Down = { type: 'refused', code: 'media_refused', conversationId: ID, id: 'p' };
    const failed = run({ type: 'up' }, watched(0), ...show('p'), ...write('a'), refused);
    expect(entriesOf(failed.state).map(({ key, state }) => [key, state])).toEqual([
      ['p', 'failed'],
      ['a', 'sending'],
    ]);
    expect(failed.settled).toEqual([]);
    expect(frames(step(failed.state, { type: 'retry', id: 'p' }).up)).toEqual(['p: media-p']);
  });
});

describe('everything except messages', () => {
  test('the higher rev wins', () => {
    const newer = view(0, { rev: 3, visitorName: 'new' });
    const older = view(0, { rev: 2, visitorName: 'old' });
    const { state } = run(
      { type: 'up' },
      watched(0),
      { type: 'conversation', conversation: newer },
      { type: 'conversation', conversation: older },
    );
    expect(state.view?.visitorName).toBe('new');
  });

  test('the newest own message shows sending, sent, seen', () => {
    const receipt = (state: ConversationState) =>
      entriesOf(state)
        .slice(-1)
        .map((entry) => receiptOf(entry, state)?.state);
    const sending = run({ type: 'up' }, watched(0), ...write('a'));
    expect(receipt(sending.state)).toEqual(['sending']);
    const sent = step(sending.state, ack('a', 1) as ConversationEvent);
    expect(receipt(sent.state)).toEqual(['sent']);
    const conversation = view(1, { rev: 2, ownerSeen: 1 });
    expect(receipt(step(sent.state, { type: 'conversation', conversation }).state)).toEqual(['seen']);
  });

  test('a message of an earlier visit, stored far above the loaded ones, does not appear under the newest', () => {
    const entry = { id: 'old', conversationId: ID, text: 'from last week', at: 1 };
    const { state } = run(
      { type: 'restored', entries: [entry] },
      { type: 'up' },
      watched(100, range(51, 100)),
    );
    const acked = step(state, ack('old', 20) as ConversationEvent);
    expect(entriesOf(acked.state).map(({ key }) => key)).not.toContain('old');
    expect(acked.settled).toContain('old');
  });

  test('`seen` is sent once, and only if there was something to read', () => {
    const { sent } = run(
      { type: 'up' },
      watched(2),
      { type: 'looked', seq: 2 },
      { type: 'looked', seq: 2 },
      { type: 'message', message: message(3, 'visitor') },
      { type: 'looked', seq: 1 },
    );
    expect(sent.filter(({ type }) => type === 'seen')).toEqual([
      { type: 'seen', conversationId: ID, seq: 2 },
    ]);
  });

  test('[MSG-30] `seen` is sent again after a change, if the server has not stored it', () => {
    const changed = (ownerSeen: number, rev: number): Down => ({
      type: 'conversation',
      conversation: view(1, { ownerSeen, rev }),
    });
    const ignored = runFrom(
      newConversation(ID, 'owner', guard),
      { type: 'up' },
      watched(1, [message(1, 'visitor')]),
      { type: 'looked', seq: 1 },
      changed(0, 2),
    );
    expect(ignored.up).toEqual([{ type: 'seen', conversationId: ID, seq: 1 }]);
    expect(runFrom(ignored.state, changed(1, 3), changed(1, 4)).sent).toEqual([]);
  });

  test('typing ends with a timeout or a message, and is never one’s own', () => {
    const typing = run({ type: 'up' }, watched(0), { type: 'typing', sender: 'owner', at: 1_000 });
    expect(typing.state.typingUntil).toBe(6_000);
    expect(step(typing.state, { type: 'typingEnded', at: 5_999 }).state.typingUntil).toBe(6_000);
    expect(step(typing.state, { type: 'typingEnded', at: 6_000 }).state.typingUntil).toBe(0);
    expect(step(typing.state, { type: 'message', message: message(1) }).state.typingUntil).toBe(0);
    expect(run({ type: 'typing', sender: 'visitor', at: 1 }).state.typingUntil).toBe(0);
  });
});

describe('[CONSOLE-16] a guarded conversation', () => {
  const guarded = (...events: (ConversationEvent | Down)[]) =>
    runFrom(newConversation(ID, 'owner', guard), ...events);
  const sends = (sent: Step['up']) =>
    sent.flatMap((frame) => (frame.type === 'send' ? [[frame.id, frame.after]] : []));
  const outdated = (id: string): Down => ({
    type: 'refused',
    code: 'reply_outdated',
    conversationId: ID,
    id,
  });

  test('[CONSOLE-16] a reply written before the messages loaded has seen those that loaded then', () => {
    const early = guarded({ type: 'up' }, ...write('a'), ...write('b'), watched(7));
    expect(sends(early.sent)).toEqual([['a', 7]]);
    expect(sends(step(early.state, ack('a', 8) as ConversationEvent).up)).toEqual([['b', 8]]);
  });

  test('[CONSOLE-16] messages long after an early reply do not count as seen', () => {
    const late = { ...message(3), createdAt: 3_600_000 };
    const early = guarded({ type: 'up' }, ...write('a'), watched(3, [...range(1, 2), late]));
    expect(sends(early.sent)).toEqual([['a', 2]]);
  });

  test('sends one at a time, each with the last number that its writer had seen or written', () => {
    const two = guarded({ type: 'up' }, watched(3), ...write('a'), ...write('b'));
    expect(sends(two.sent)).toEqual([['a', 3]]);
    const gap = step(two.state, ack('a', 5) as ConversationEvent);
    expect(gap.up).toEqual([{ type: 'range', conversationId: ID, after: 3 }]);
    const filled = step(gap.state, {
      type: 'messages',
      conversationId: ID,
      messages: [message(4, 'visitor')],
      head: 5,
    });
    expect(sends(filled.up)).toEqual([['b', 5]]);
  });

  test('messages after the writing do not count as seen, whenever it is sent', () => {
    const { sent } = guarded(
      { type: 'up' },
      watched(3),
      { type: 'down' },
      ...write('a'),
      { type: 'up' },
      watched(4, [message(4)]),
    );
    expect(sends(sent)).toEqual([['a', 3]]);
  });

  test('outdated text leaves the list and the outbox and is handed back, with everything after it', () => {
    const refused = guarded(
      { type: 'up' },
      watched(1),
      ...write('a'),
      ...write('b'),
      { type: 'send', id: 'c', text: 'c', at: 1 },
      outdated('a'),
    );
    expect(refused.state).toMatchObject({
      pending: [],
      handedBack: [{ text: 'a' }, { text: 'b' }, { text: 'c' }],
    });
    expect(refused.settled).toEqual(['a', 'b', 'c']);
    // The client may not have received the conflicting answer yet.
    expect(refused.up).toEqual([{ type: 'watch', conversationId: ID, after: 1 }]);
    const late = runFrom(refused.state, { type: 'stored', id: 'c' }, outdated('a'), { type: 'tookBack' });
    expect(late.state).toMatchObject({ pending: [], handedBack: [] });
  });

  test('an outdated image stays as failed while the texts around it are handed back', () => {
    const refused = guarded(
      { type: 'up' },
      watched(1),
      ...write('a'),
      ...show('p'),
      ...write('b'),
      { type: 'message', message: message(2) },
      outdated('a'),
      watched(2, []),
    );
    expect(refused.state).toMatchObject({
      pending: [{ id: 'p', state: 'failed' }],
      handedBack: [{ text: 'a' }, { text: '' }, { text: 'b' }],
    });
    // It stays in the outbox: a reload must not lose it.
    expect(refused.settled).not.toContain('p');
    const again = step(refused.state, { type: 'retry', id: 'p' });
    expect(again.up).toEqual([
      { type: 'sendMedia', conversationId: ID, id: 'p', mediaId: 'media-p', after: 2 },
    ]);
    expect(again.state.pending).toMatchObject([{ id: 'p', state: 'flying' }]);
  });

  test('an outdated image stays for a retry; its writer is notified, and gets the text after it back', () => {
    const media = {
      mediaUrl: '/',
      mediaType: 'image/webp',
      fileName: 'image.webp',
      size: 1,
      width: 1,
      height: 1,
    };
    const picture = { mediaId: 'm', media: { ...media, thumbhash: '' } };
    const refused = guarded(
      { type: 'up' },
      watched(1),
      { type: 'send', id: 'a', text: '', at: 1, picture },
      { type: 'stored', id: 'a' },
      ...write('b'),
      outdated('a'),
    );
    expect(refused.state).toMatchObject({
      pending: [{ id: 'a', state: 'failed' }],
      handedBack: [{ text: '' }, { text: 'b' }],
    });
    expect(refused.settled).toEqual(['b']);
    const seen = runFrom(refused.state, watched(2), { type: 'tookBack' });
    expect(step(seen.state, { type: 'retry', id: 'a' }).up).toEqual([
      { type: 'sendMedia', conversationId: ID, id: 'a', mediaId: 'm', after: 2 },
    ]);
  });

  describe('an image that was sent long before it is ready', () => {
    const ready = (id: string, after: number): ConversationEvent[] => [
      { type: 'send', id, text: '', at: 1, picture: aPicture(id), view: { after } },
      { type: 'stored', id },
    ];
    const images = (sent: Step['up']) =>
      sent.flatMap((frame) => (frame.type === 'sendMedia' ? [[frame.id, frame.after]] : []));

    test('has seen no more than its sender had at that time', () => {
      const { sent } = guarded(
        { type: 'up' },
        watched(3),
        { type: 'message', message: message(4) },
        ...ready('p', 3),
      );
      expect(images(sent)).toEqual([['p', 3]]);
    });

    test('is not held by later messages of the same person, stored or in flight', () => {
      const { sent } = guarded(
        { type: 'up' },
        watched(3),
        ...write('a'),
        ack('a', 4),
        { type: 'message', message: message(5, 'visitor') },
        ...write('b'),
        ...ready('p', 3),
        ack('b', 6),
        ...ready('q', 3),
        ack('p', 7),
      );
      expect(images(sent)).toEqual([
        ['p', 6],
        ['q', 7],
      ]);
    });

    test('is held by another person’s answer, also if its sender wrote after that', () => {
      const { sent, state } = guarded(
        { type: 'up' },
        watched(3),
        { type: 'message', message: message(4) },
        ...write('a'),
        ack('a', 5),
        ...ready('p', 3),
      );
      expect(images(sent)).toEqual([['p', 3]]);
      // Its `after` is stored with it, for another page.
      expect(state.pending).toMatchObject([{ id: 'p', after: 3 }]);
    });
  });

  test('[MSG-16] [MSG-19] text being sent when the chat is handed over returns to its writer; an image stays', () => {
    const gone: Down = { type: 'gone', conversationId: ID };
    const left = guarded({ type: 'up' }, watched(1), ...write('a'), ...show('p'), ...write('b'), gone);
    expect(left.state).toMatchObject({
      pending: [{ id: 'p', state: 'failed' }],
      handedBack: [{ text: 'a' }, { text: '' }, { text: 'b' }],
    });
    expect([left.settled, left.refused, left.up]).toEqual([['a', 'b'], ['p'], []]);
    const entries = [{ id: 'a', conversationId: ID, text: 'a', at: 1, after: 1 }];
    const notOurs: Down = { type: 'refused', code: 'not_found', conversationId: ID };
    const back = guarded({ type: 'restored', entries }, { type: 'up' }, notOurs);
    expect([back.state.handedBack, back.settled]).toEqual([[{ id: 'a', text: 'a' }], ['a']]);
    // A late message, like an image that was still uploading, does not stay at Sending either.
    expect(runFrom(back.state, ...show('q')).state.pending).toMatchObject([{ id: 'q', state: 'failed' }]);
  });

  test('a failed message stays failed, blocks no other, and a retry counts what is seen by then', () => {
    const failed = guarded(
      { type: 'up' },
      watched(1),
      ...write('a'),
      ...write('b'),
      { type: 'refused', code: 'conversation_closed', conversationId: ID, id: 'a' },
      { type: 'message', message: message(2) },
      outdated('b'),
      watched(2, []),
    );
    expect(failed.state).toMatchObject({
      pending: [{ id: 'a', state: 'failed' }],
      handedBack: [{ text: 'b' }],
    });
    expect(sends(step(failed.state, { type: 'retry', id: 'a' }).up)).toEqual([['a', 2]]);
  });

  test('after a reload a message keeps what its writer had seen, and its place after an own message', () => {
    const entries = [{ id: 'b', conversationId: ID, text: 'b', at: 1, after: 3, behind: 'a' }];
    const restored = guarded({ type: 'restored', entries }, { type: 'up' });
    const own = message(4, 'owner', 'a');
    expect(sends(runFrom(restored.state, watched(4, [...range(1, 3), own])).sent)).toEqual([['b', 4]]);
    expect(sends(runFrom(restored.state, watched(4)).sent)).toEqual([['b', 3]]);
    const early = guarded(...write('new'), { type: 'restored', entries }, { type: 'up' }, watched(4));
    expect(sends(runFrom(early.state, ack('b', 5)).sent)).toEqual([['new', 5]]);
  });
});
