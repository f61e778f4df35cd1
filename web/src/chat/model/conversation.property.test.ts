import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { isRetryable } from '@settee/protocol/model/errorCodes';
import type { Message } from '@settee/protocol/model/message';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOr } from '../../../../tools/fullSize.ts';
import { aConversation } from '../../../test/chats.ts';
import { aPicture } from '../../../test/fakeUploads.ts';
import { anUnsent } from '../../../test/unsent.ts';
import { isQueued, step, unsentState } from './conversation.ts';
import { type ConversationEvent, newConversation } from './conversationState.ts';
import { guard } from './guard.ts';
import { lastSeq } from './log.ts';
import type { Unsent } from './unsent.ts';

fc.configureGlobal({ seed: seedOr(Date.now) });

const ID = 'c0000000-0000-4000-8000-000000000000';
const PAGE = 3;

/** Everything that can go wrong between a page and the server. Some of it more often. */
const turns = [
  ...(['write', 'write', 'picture', 'otherWrites', 'serverReads', 'serverReads'] as const),
  ...(['clientReads', 'clientReads', 'hintLost', 'hintTwice', 'hintsSwapped', 'turnedAway'] as const),
  ...(['stored, but the answer is lost', 'lineLost', 'lineBack', 'again'] as const),
];
const guardedTurns = [...turns, ...(['colleagueWrites', 'colleagueWrites', 'tryAgain', 'reload'] as const)];
type Turn = (typeof guardedTurns)[number];

const isPicture = (id: string) => id.startsWith('picture');

/**
 * One client, one correct server, and an unreliable connection. If guarded, the client is one of several staff members.
 */
function world({ guarded = false } = {}) {
  const me = guarded ? 'owner' : 'visitor';
  const other = guarded ? 'visitor' : 'owner';
  const truth: Message[] = [];
  let written: string[] = [];
  const outbox = new Map<string, Unsent>();
  let returned = 0;
  /** How far the writer of each own message had seen. */
  const seen = new Map<string, number>();
  /** Written before this page had loaded the messages. */
  const early = new Set<string>();
  let state = newConversation(ID, me, guarded ? guard : undefined);
  let toServer: Up[] = [];
  let toClient: Down[] = [];
  /** After it has refused a message as retryable, the server accepts no later message before that one. */
  let resendFirst: string | undefined;
  let turnAwayNext = false;
  let swallowNext = false;

  function apply(event: ConversationEvent): void {
    const next = step(state, event);
    // A message written before the log was loaded counts as written after the loaded messages.
    if (!state.loaded && next.state.loaded) for (const id of early) seen.set(id, lastSeq(next.state.log));
    if (next.state.loaded) early.clear();
    state = next.state;
    for (const id of next.settled) outbox.delete(id);
    for (const { id, state: now } of next.marked) {
      mark(id, unsentState(now));
      if (now === 'returned') returned += 1;
    }
    toServer.push(...next.up);
    if (guarded) checkGuard(next.up);
  }

  function mark(id: string, state: Unsent['state']): void {
    const entry = outbox.get(id);
    if (entry) outbox.set(id, { ...entry, state });
  }

  function checkGuard(up: Up[]): void {
    expect(state.pending.filter((p) => p.state === 'flying').length).toBeLessThanOrEqual(1);
    for (const frame of up) {
      if (frame.type !== 'send' && frame.type !== 'sendMedia') continue;
      const own = truth.filter(({ id }) => written.indexOf(id) < written.indexOf(frame.id) && seen.has(id));
      expect(frame.after).toBeLessThanOrEqual(Math.max(seen.get(frame.id) ?? 0, own.at(-1)?.seq ?? 0));
    }
    // No text is ever lost.
    const kept = new Set([...truth, ...state.pending, ...outbox.values()].map(({ id }) => id));
    expect(written.filter((id) => !kept.has(id))).toEqual([]);
  }

  function isOutdated(id: string, after: number | undefined): boolean {
    if (after === undefined || truth.some((message) => message.id === id)) return false;
    return truth.some(({ seq, sender }) => seq > after && sender === 'owner');
  }

  function append(id: string, sender: Message['sender']): Message {
    const known = truth.find((message) => message.id === id);
    if (known) return known;
    const message = {
      conversationId: ID,
      seq: truth.length + 1,
      id,
      sender,
      createdAt: truth.length,
      ...(isPicture(id) ? { text: '', ...aPicture(id) } : { text: id }),
    };
    truth.push(message);
    return message;
  }

  const after = (seq: number) => truth.filter((message) => message.seq > seq).slice(0, PAGE);

  function serve(frame: Up): void {
    if (frame.type === 'watch') {
      const messages = frame.after === undefined ? truth.slice(-PAGE) : after(frame.after);
      toClient.push({ type: 'watched', conversation: aConversation(ID, { head: truth.length }), messages });
    } else if (frame.type === 'range') {
      toClient.push({
        type: 'messages',
        conversationId: ID,
        messages: after(frame.after),
        head: truth.length,
      });
    } else if (frame.type === 'send' || frame.type === 'sendMedia') {
      const { id } = frame;
      expect(isPicture(id) ? 'sendMedia' : 'send').toBe(frame.type);
      if (turnAwayNext || (resendFirst !== undefined && resendFirst !== id)) {
        turnAwayNext = false;
        resendFirst ??= id;
        toClient.push({ type: 'refused', code: 'too_many', conversationId: ID, id });
        return;
      }
      resendFirst = undefined;
      if (isOutdated(id, frame.after)) {
        if (swallowNext) swallowNext = false;
        else toClient.push({ type: 'refused', code: 'reply_outdated', conversationId: ID, id });
        return;
      }
      const { seq, createdAt } = append(id, me);
      if (swallowNext) swallowNext = false;
      else toClient.push({ type: 'ack', conversationId: ID, id, seq, createdAt });
    }
  }

  function receive(): void {
    const frame = toClient.shift();
    if (frame) apply(frame as ConversationEvent);
  }

  function lineLost(): void {
    toServer = [];
    toClient = [];
    resendFirst = undefined;
    apply({ type: 'down' });
    toServer = [];
  }

  /** The user sees the current messages, and the image moves to the end. */
  function tryAgain(): void {
    const failed = state.pending.find((p) => !isQueued(p));
    if (!failed) return;
    seen.set(failed.id, lastSeq(state.log));
    written = [...written.filter((id) => id !== failed.id), failed.id];
    const entry = outbox.get(failed.id);
    outbox.delete(failed.id);
    if (entry) outbox.set(failed.id, { ...entry, state: 'queued' });
    apply({ type: 'retry', id: failed.id });
  }

  /** What is on the screen, or was when earlier pending messages were written: a reload forgets it, people do not. */
  function seenByWriter(): number {
    return Math.max(lastSeq(state.log), ...state.pending.map(({ id }) => seen.get(id) ?? 0));
  }

  const hints = () => toClient.filter((frame) => frame.type === 'message');

  function turn(kind: Turn, n: number): void {
    switch (kind) {
      case 'write':
      case 'picture': {
        const id = kind === 'write' ? `mine-${n}` : `picture-${n}`;
        const what =
          kind === 'write' ? { text: id } : { text: '', picture: { mediaId: id, media: aPicture(id) } };
        seen.set(id, seenByWriter());
        if (!state.loaded) early.add(id);
        written.push(id);
        outbox.set(id, { ...anUnsent(id, { conversationId: ID, at: n }), ...what });
        apply({ type: 'send', id, at: n, ...what });
        const { state: _, ...kept } = state.pending.find((p) => p.id === id) ?? { state: '' };
        outbox.set(id, { ...anUnsent(id, { conversationId: ID, at: n }), ...what, ...kept });
        apply({ type: 'stored', id });
        break;
      }
      case 'tryAgain':
        tryAgain();
        break;
      case 'reload':
        lineLost();
        early.clear();
        state = newConversation(ID, me, guarded ? guard : undefined);
        apply({ type: 'restored', entries: [...outbox.values()] });
        break;
      case 'otherWrites':
      case 'colleagueWrites': {
        const message = append(`theirs-${n}`, kind === 'otherWrites' ? other : 'owner');
        if (state.line === 'up') toClient.push({ type: 'message', message });
        break;
      }
      case 'serverReads': {
        const frame = toServer.shift();
        if (frame) serve(frame);
        break;
      }
      case 'clientReads':
        receive();
        break;
      case 'hintLost': {
        const lost = hints()[0];
        toClient = toClient.filter((frame) => frame !== lost);
        break;
      }
      case 'hintTwice':
        toClient.push(...hints().slice(0, 1));
        break;
      case 'hintsSwapped': {
        const last = toClient.pop();
        if (last) toClient.unshift(last);
        break;
      }
      case 'turnedAway':
        turnAwayNext = true;
        break;
      case 'stored, but the answer is lost':
        swallowNext = true;
        break;
      case 'lineLost':
        lineLost();
        break;
      case 'lineBack':
        if (state.line === 'down') apply({ type: 'up' });
        break;
      case 'again':
        apply({ type: 'again' });
        break;
    }
  }

  /** No more faults: reconnect, then deliver everything until nothing is left. */
  function rest(): void {
    turnAwayNext = false;
    swallowNext = false;
    lineLost();
    apply({ type: 'up' });
    for (let quiet = 0; quiet < 3; ) {
      const frame = toServer.shift();
      if (frame) serve(frame);
      else if (toClient.length > 0) receive();
      else {
        quiet += 1;
        apply({ type: 'again' });
        tryAgain();
      }
      if (!state.pending.every(isQueued)) quiet = 0;
    }
  }

  return { turn, rest, truth, written: () => written, returned: () => returned, seen, state: () => state };
}

test('any order of deliveries, repeats and losses ends in the same log after a resume', () => {
  expect(isRetryable('too_many')).toBe(true);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...turns), { maxLength: 120, size: 'max' }), (script) => {
      const { turn, rest, truth, written, state } = world();
      script.forEach(turn);
      rest();
      const shown = state().log.messages;
      expect(state().pending).toEqual([]);
      expect(state().log.aside).toEqual([]);
      // The page may have opened in the middle. From there on it equals the server's log, complete and in order.
      expect(shown).toEqual(truth.slice(truth.length - shown.length));
      const mine = truth.filter(({ sender }) => sender === 'visitor').map(({ id }) => id);
      expect(mine).toEqual(written());
    }),
    { numRuns: 1_000 },
  );
}, 60_000);

test('[CONSOLE-16] no guarded reply follows an answer that its writer had not seen, and no text is lost', () => {
  let held = 0;
  let pictures = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...guardedTurns), { maxLength: 120, size: 'max' }), (script) => {
      const { turn, rest, truth, written, returned, seen, state } = world({ guarded: true });
      script.forEach(turn);
      rest();
      expect(state().pending).toEqual([]);
      const shown = state().log.messages;
      expect(shown).toEqual(truth.slice(truth.length - shown.length));
      // Each message once, in the order of writing. One that was returned is stored once its writer sends it anyway.
      const stored = truth.filter(({ id }) => seen.has(id)).map(({ id }) => id);
      expect(stored).toEqual(written());
      pictures += stored.filter(isPicture).length;
      for (const { id, seq } of truth.filter((message) => seen.has(message.id))) {
        const unseen = truth.filter(
          (m) => m.sender === 'owner' && m.seq < seq && m.seq > (seen.get(id) ?? 0),
        );
        expect(unseen.filter((message) => !seen.has(message.id))).toEqual([]);
      }
      held += returned();
    }),
    {
      numRuns: 300,
      // Written on an empty page, after a message whose writer had seen the answer.
      examples: [
        [['colleagueWrites', 'lineBack', 'serverReads', 'clientReads', 'write', 'reload', 'write'] as Turn[]],
      ],
    },
  );
  expect(Math.min(held, pictures)).toBeGreaterThan(0);
}, 60_000);
