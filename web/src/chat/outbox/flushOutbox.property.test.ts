import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import type { Message } from '@settee/protocol/model/message';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOr } from '../../../../tools/fullSize.ts';
import { aConversation } from '../../../test/aConversation.ts';
import { aPicture } from '../../../test/lossyUploads.ts';
import type { Api } from '../../net/api.ts';
import { step } from '../model/conversation.ts';
import { type ConversationEvent, newConversation } from '../model/conversationState.ts';
import { flushOutbox } from './flushOutbox.ts';
import { memoryOutbox } from './outbox.ts';

fc.configureGlobal({ seed: seedOr(Date.now) });

const ID = 'c0000000-0000-4000-8000-000000000000';

/** Everything that can happen between page, worker, network and server. */
const turns = [
  'write',
  'write',
  'a picture',
  'write, and it will be refused for good',
  'server reads from a line',
  'server reads from a line',
  'server reads from a line',
  'page reads',
  'page reads',
  'line lost',
  'line back',
  'line back',
  'line turned away',
  'again',
  'reload',
  'worker starts',
  'worker starts',
  'worker is stored',
  'worker is stored',
  'worker is turned away',
  'worker’s answer is lost',
  'worker’s request is late',
  'a late request arrives',
] as const;
type Turn = (typeof turns)[number];

/** A socket on the server's side. Frames in flight still arrive after the page has left. */
type Line = { frames: Up[]; resendFirst: string | undefined };
type Asked = { body: { id: string }; params: { mediaId?: string } };
type Request = { id: string; answer: (result: unknown) => void };

const isPicture = (id: string) => id.startsWith('picture');

const stored = { ok: true, answer: {} };
const failed = (code?: string) => ({ ok: false, code, text: '', status: 0, answer: undefined });

/** One browser (a page that comes and goes, its worker, their outbox) and one correct server. */
function world() {
  const truth: Message[] = [];
  const written: string[] = [];
  const outbox = memoryOutbox();
  let state = newConversation(ID, 'visitor');
  let lines: Line[] = [];
  let toPage: Down[] = [];
  let refuseNext = false;
  const requests: Request[] = [];
  const late: string[] = [];
  let running = false;

  async function apply(event: ConversationEvent): Promise<void> {
    const next = step(state, event);
    state = next.state;
    if (state.line === 'up') lines.at(-1)?.frames.push(...next.up);
    for (const id of next.settled) await outbox.remove(id);
    for (const id of next.refused) await outbox.refuse(id);
    for (const id of next.unrefused) await outbox.refuse(id, false);
  }

  /** Stores a message once. Returns undefined if it is refused permanently. */
  function append(id: string): Message | undefined {
    if (id.startsWith('bad')) return undefined;
    const known = truth.find((message) => message.id === id);
    if (known) return known;
    const seq = truth.length + 1;
    const what = isPicture(id) ? { text: '', ...aPicture(id) } : { text: id };
    const message: Message = { conversationId: ID, seq, id, sender: 'visitor', createdAt: seq, ...what };
    truth.push(message);
    if (state.line === 'up') toPage.push({ type: 'message', message });
    return message;
  }

  function serve(line: Line, frame: Up, current: boolean): void {
    const send = (down: Down) => current && toPage.push(down);
    if (frame.type === 'watch') {
      const messages = truth.filter(({ seq }) => seq > (frame.after ?? 0));
      send({ type: 'watched', conversation: aConversation(ID, { head: truth.length }), messages });
    } else if (frame.type === 'range') {
      const messages = truth.filter(({ seq }) => seq > frame.after);
      send({ type: 'messages', conversationId: ID, messages, head: truth.length });
    } else if (frame.type === 'send' || frame.type === 'sendMedia') {
      const { id } = frame;
      expect(isPicture(id) ? 'sendMedia' : 'send').toBe(frame.type);
      if (refuseNext || (line.resendFirst !== undefined && line.resendFirst !== id)) {
        refuseNext = false;
        line.resendFirst ??= id;
        send({ type: 'refused', code: 'too_many', conversationId: ID, id });
        return;
      }
      line.resendFirst = undefined;
      const message = append(id);
      if (message)
        send({ type: 'ack', conversationId: ID, id, seq: message.seq, createdAt: message.createdAt });
      else send({ type: 'refused', code: 'bad_request', conversationId: ID, id });
    }
  }

  async function lineLost(): Promise<void> {
    toPage = [];
    await apply({ type: 'down' });
  }

  async function lineBack(): Promise<void> {
    if (state.line === 'up') return;
    lines.push({ frames: [], resendFirst: undefined });
    await apply({ type: 'up' });
  }

  async function write(id: string): Promise<void> {
    written.push(id);
    const what = isPicture(id) ? { text: '', picture: { mediaId: id, media: aPicture(id) } } : { text: id };
    await apply({ type: 'send', id, at: 0, ...what });
    await outbox.put({ id, conversationId: ID, at: 0, ...what });
    await apply({ type: 'stored', id });
  }

  function startWorker(): void {
    if (running) return;
    running = true;
    const api = ((name: string, { body, params }: Asked) => {
      expect(name === 'sendMedia' ? params.mediaId : undefined).toBe(
        isPicture(body.id) ? body.id : undefined,
      );
      return new Promise((answer) => requests.push({ id: body.id, answer }));
    }) as unknown as Api;
    flushOutbox({ outbox, api })
      .catch(() => {})
      .finally(() => {
        running = false;
      });
  }

  function answerWorker(how: Turn): void {
    const request = requests.shift();
    if (!request) return;
    if (how === 'worker is turned away') request.answer(failed('unavailable'));
    else if (how === 'worker’s request is late') {
      late.push(request.id);
      request.answer(failed());
    } else {
      const message = append(request.id);
      if (how === 'worker’s answer is lost') request.answer(failed());
      else request.answer(message ? stored : failed('bad_request'));
    }
  }

  async function turn(kind: Turn, n: number): Promise<void> {
    switch (kind) {
      case 'write':
        return write(`m${n}`);
      case 'a picture':
        return write(`picture${n}`);
      case 'write, and it will be refused for good':
        return write(`bad${n}`);
      case 'server reads from a line': {
        const line = lines[n % Math.max(1, lines.length)];
        const frame = line?.frames.shift();
        if (line && frame) serve(line, frame, state.line === 'up' && line === lines.at(-1));
        return;
      }
      case 'page reads': {
        const frame = toPage.shift();
        if (frame) await apply(frame as ConversationEvent);
        return;
      }
      case 'line lost':
        return lineLost();
      case 'line back':
        return lineBack();
      case 'line turned away':
        refuseNext = true;
        return;
      case 'again':
        return apply({ type: 'again' });
      case 'reload':
        toPage = [];
        state = newConversation(ID, 'visitor');
        return apply({ type: 'restored', entries: await outbox.list(ID) });
      case 'worker starts':
        return startWorker();
      case 'a late request arrives':
        append(late.shift() ?? 'bad');
        return;
      default:
        return answerWorker(kind);
    }
  }

  /** No more faults: the page reconnects and reads, and the worker gets its answers, until nothing is left. */
  async function rest(): Promise<void> {
    refuseNext = false;
    await lineLost();
    for (const line of lines) for (const frame of line.frames.splice(0)) serve(line, frame, false);
    lines = [];
    await lineBack();
    for (let quiet = 0; quiet < 3; ) {
      const line = lines.at(-1);
      const frame = line?.frames.shift();
      if (line && frame) serve(line, frame, true);
      else if (toPage.length > 0) await turn('page reads', 0);
      else if (requests.length > 0) answerWorker('worker is stored');
      else {
        quiet += 1;
        // A refused message that the worker then stored is never sent again on this socket, so the server closes it.
        await lineLost();
        await lineBack();
      }
      await settle();
    }
  }

  return { turn, rest, truth, written, outbox, shown: () => state.log.messages };
}

/** Lets the worker's promises run; nothing here waits for time. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('page and worker can send the same outbox at once: every message is stored once, in the order of writing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...turns), { maxLength: 80, size: 'max' }), async (script) => {
      const { turn, rest, truth, written, outbox, shown } = world();
      for (const [n, kind] of script.entries()) {
        await turn(kind, n);
        await settle();
      }
      await rest();
      expect(truth.map(({ id }) => id)).toEqual(written.filter((id) => !id.startsWith('bad')));
      // The page shows exactly what the server has, including images.
      expect(shown()).toEqual(truth);
      expect((await outbox.listAll()).map(({ id }) => id)).toEqual(
        written.filter((id) => id.startsWith('bad')),
      );
    }),
    { numRuns: 1_000 },
  );
}, 60_000);
