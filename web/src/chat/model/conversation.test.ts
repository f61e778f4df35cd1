import type { Down } from '@settee/protocol/frames/down';
import type { VisitorConversation } from '@settee/protocol/model/conversation';
import type { Message, Sender } from '@settee/protocol/model/message';
import { describe, expect, test } from 'vitest';
import { aConversation } from '../../../test/chats.ts';
import { aPicture } from '../../../test/fakeUploads.ts';
import { anUnsent } from '../../../test/unsent.ts';
import { type Step, step } from './conversation.ts';
import { type ConversationEvent, type ConversationState, newConversation } from './conversationState.ts';
import { entriesOf } from './entries.ts';
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
  let last: Step = { state, up: [], settled: [], marked: [], backOff: false };
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

const show = (id: string): ConversationEvent[] => [
  { type: 'send', id, text: '', at: 1, picture: { mediaId: `media-${id}`, media: aPicture(id) } },
  { type: 'stored', id },
];

const sentIds = (sent: Step['up']) => sent.flatMap((frame) => (frame.type === 'send' ? [frame.id] : []));

test('a long outbox is sent in portions: the next message leaves when one has arrived', () => {
  const ids = Array.from({ length: 50 }, (_, at) => `m${at}`);
  const back = run({ type: 'up' }, ...ids.flatMap((id) => write(id)), watched(0));
  expect(sentIds(back.sent)).toEqual(ids.slice(0, 20));
  const later = runFrom(back.state, ack('m0', 1), ack('m1', 2));
  expect(sentIds(later.sent)).toEqual(['m20', 'm21']);
});

describe('the log', () => {
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

  test('a final refusal fails only that message; a retry puts it last', () => {
    const failed = run({ type: 'up' }, watched(0), ...write('a'), ...write('b'), {
      type: 'refused',
      code: 'conversation_closed',
      conversationId: ID,
      id: 'a',
    });
    expect(entriesOf(failed.state).map((entry) => entry.state)).toEqual(['refused', 'sending']);
    const retried = step(failed.state, { type: 'retry', id: 'a' });
    expect(texts(retried.state)).toEqual(['b', 'a']);
    expect(sentIds(retried.up)).toEqual(['a']);
  });

  test('[PRIVACY-07] a handed-over conversation can still be read, an erased one leaves nothing', () => {
    const open = run({ type: 'up' }, watched(1)).state;
    const gone = { type: 'gone', conversationId: ID } as const;
    expect(step(open, gone).state).toMatchObject({ gone: true, loaded: true, log: open.log });
    const erased = step(open, { ...gone, erased: true }).state;
    expect(erased).toMatchObject({ gone: true, loaded: false, view: null });
    expect(JSON.stringify(erased)).not.toContain('text 1');
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
    expect(entriesOf(left.state).map((entry) => entry.state)).toEqual(['refused', 'refused']);
    expect([left.marked.map(({ id }) => id), left.up]).toEqual([['a', 'b'], []]);
    const notOurs: Down = { type: 'refused', code: 'not_found', conversationId: ID };
    expect(entriesOf(run(...write('a'), { type: 'up' }, notOurs).state)).toMatchObject([
      { state: 'refused' },
    ]);
  });
});

describe('images', () => {
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
});

describe('everything except messages', () => {
  test('a message of an earlier visit, stored far above the loaded ones, does not appear under the newest', () => {
    const entry = anUnsent('old', { conversationId: ID });
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
});

describe('[CONSOLE-16] a guarded conversation', () => {
  const guarded = (...events: (ConversationEvent | Down)[]) =>
    runFrom(newConversation(ID, 'owner', guard), ...events);

  const outdated = (id: string): Down => ({
    type: 'refused',
    code: 'reply_outdated',
    conversationId: ID,
    id,
  });

  test('an outdated image stays for a retry; its writer is notified, and gets the text after it back', () => {
    const refused = guarded({ type: 'up' }, watched(1), ...show('a'), ...write('b'), outdated('a'));
    const both = [
      { id: 'a', state: 'returned' },
      { id: 'b', state: 'returned' },
    ];
    expect([refused.state.pending, refused.marked]).toMatchObject([both, both]);
    const seen = runFrom(refused.state, watched(2));
    expect(step(seen.state, { type: 'retry', id: 'a' }).up).toEqual([
      { type: 'sendMedia', conversationId: ID, id: 'a', mediaId: 'media-a', after: 2 },
    ]);
  });

  test('[MSG-16] [MSG-19] what is being sent when the chat is handed over stays, as not sent', () => {
    const gone: Down = { type: 'gone', conversationId: ID };
    const left = guarded({ type: 'up' }, watched(1), ...write('a'), ...show('p'), ...write('b'), gone);
    const all = ['a', 'p', 'b'].map((id) => ({ id, state: 'refused' }));
    expect([left.state.pending, left.marked, left.up]).toMatchObject([all, all, []]);
    const entries = [anUnsent('a', { conversationId: ID, after: 1 })];
    const notOurs: Down = { type: 'refused', code: 'not_found', conversationId: ID };
    const back = guarded({ type: 'restored', entries }, { type: 'up' }, notOurs);
    expect(back.marked).toMatchObject([{ id: 'a', state: 'refused' }]);
    // A late message, like an image that was still uploading, does not stay at Sending either.
    expect(runFrom(back.state, ...show('q')).state.pending.at(-1)).toMatchObject({
      id: 'q',
      state: 'refused',
    });
  });
});
