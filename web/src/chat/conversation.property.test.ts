import type { Down } from '@settee/protocol/down';
import { isRetryable } from '@settee/protocol/errorCodes';
import type { Message } from '@settee/protocol/message';
import type { Up } from '@settee/protocol/up';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aConversation } from '../../test/aConversation.ts';
import { step } from './conversation.ts';
import { type ConversationEvent, newConversation } from './conversationState.ts';

const ID = 'c0000000-0000-4000-8000-000000000000';
const PAGE = 3;

/** Everything that can go wrong between a page and the truth. */
type Turn =
  | 'write'
  | 'otherWrites'
  | 'serverReads'
  | 'clientReads'
  | 'hintLost'
  | 'hintTwice'
  | 'hintsSwapped'
  | 'turnedAway'
  | 'stored, but the answer is lost'
  | 'lineLost'
  | 'lineBack'
  | 'again';

const turns: Turn[] = [
  'write',
  'write',
  'otherWrites',
  'serverReads',
  'serverReads',
  'clientReads',
  'clientReads',
  'hintLost',
  'hintTwice',
  'hintsSwapped',
  'turnedAway',
  'stored, but the answer is lost',
  'lineLost',
  'lineBack',
  'again',
];

/** One client, one server that keeps its promises, and a line that keeps none. */
function world() {
  const truth: Message[] = [];
  const written: string[] = [];
  let state = newConversation(ID, 'visitor');
  let toServer: Up[] = [];
  let toClient: Down[] = [];
  /** The server's promise: after turning one away, it takes nothing later before that one. */
  let resendFirst: string | undefined;
  let turnAwayNext = false;
  let swallowNext = false;

  function tell(event: ConversationEvent): void {
    const next = step(state, event);
    state = next.state;
    toServer.push(...next.up);
  }

  function append(id: string, sender: Message['sender']): Message {
    const known = truth.find((message) => message.id === id);
    if (known) return known;
    const message = {
      conversationId: ID,
      seq: truth.length + 1,
      id,
      sender,
      text: id,
      createdAt: truth.length,
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
    } else if (frame.type === 'send') {
      const { id } = frame;
      if (turnAwayNext || (resendFirst !== undefined && resendFirst !== id)) {
        turnAwayNext = false;
        resendFirst ??= id;
        toClient.push({ type: 'refused', code: 'too_many', conversationId: ID, id });
        return;
      }
      resendFirst = undefined;
      const { seq, createdAt } = append(id, 'visitor');
      if (swallowNext) swallowNext = false;
      else toClient.push({ type: 'ack', conversationId: ID, id, seq, createdAt });
    }
  }

  function receive(): void {
    const frame = toClient.shift();
    if (frame) tell(frame as ConversationEvent);
  }

  function lineLost(): void {
    toServer = [];
    toClient = [];
    resendFirst = undefined;
    tell({ type: 'down' });
    toServer = [];
  }

  const hints = () => toClient.filter((frame) => frame.type === 'message');

  function turn(kind: Turn, n: number): void {
    switch (kind) {
      case 'write': {
        const id = `mine-${n}`;
        written.push(id);
        tell({ type: 'send', id, text: id, at: n });
        tell({ type: 'stored', id });
        break;
      }
      case 'otherWrites': {
        const message = append(`theirs-${n}`, 'owner');
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
        if (state.line === 'down') tell({ type: 'up' });
        break;
      case 'again':
        tell({ type: 'again' });
        break;
    }
  }

  /** The faults are over: a resume, and everybody reads until nobody has anything to say. */
  function rest(): void {
    turnAwayNext = false;
    swallowNext = false;
    lineLost();
    tell({ type: 'up' });
    for (let quiet = 0; quiet < 3; ) {
      const frame = toServer.shift();
      if (frame) serve(frame);
      else if (toClient.length > 0) receive();
      else {
        quiet += 1;
        tell({ type: 'again' });
      }
    }
  }

  return { turn, rest, truth, written, state: () => state };
}

test('any interleaving of deliveries, repeats and losses, once resumed, ends in the identical log', () => {
  expect(isRetryable('too_many')).toBe(true);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...turns), { maxLength: 120, size: 'max' }), (script) => {
      const { turn, rest, truth, written, state } = world();
      script.forEach(turn);
      rest();
      const shown = state().log.messages;
      expect(state().pending).toEqual([]);
      expect(state().log.aside).toEqual([]);
      // The page may have opened in the middle; from there on it is the truth, whole and in order.
      expect(shown).toEqual(truth.slice(truth.length - shown.length));
      const mine = truth.filter(({ sender }) => sender === 'visitor').map(({ id }) => id);
      expect(mine).toEqual(written);
    }),
    { numRuns: 1_000 },
  );
});
