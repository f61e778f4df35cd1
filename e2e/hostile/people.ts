import { randomUUID } from 'node:crypto';
import { isRetryable } from '@settee/protocol/calls/errorCodes';
import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { WebSocket } from 'ws';
import { quantile } from '../proof/quantile.ts';
import { until } from '../proof/until.ts';
import { ONE_USE } from '../proof/world.ts';
import type { Person, Stage } from './stage.ts';

const VISITORS = 8;
/** Below the budget of a visitor, which is one message per second. */
const VISITOR_EVERY_MS = 1_100;
const HANDLER_EVERY_MS = 50;
const QUEUE_EVERY_MS = 100;
const RESEND_AFTER_MS = 500;

type Times = Record<'ack' | 'receipt' | 'queue', number[]>;
/** `refused`: the codes of messages that were refused for the moment. They are sent again. */
export type Figures = Times & { refused: string[] };

/** A handler and some visitors who behave well. Whatever happens to them is a finding. */
export class People {
  /** Refusals, lost connections and failed calls. */
  readonly findings: string[] = [];
  figures = noFigures();
  readonly #stage: Stage;
  readonly #handler: Person;
  readonly #visitors: Person[];
  readonly #sockets: WebSocket[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #sent = new Map<string, { by: string; at: number }>();
  /** How to send each of them again, in the order of writing. */
  readonly #unacked = new Map<string, { conversationId: string; send: () => void }>();
  readonly #unreceived = new Set<string>();
  readonly #lastSeq = new Map<string, number>();
  readonly #resending = new Set<string>();
  #handlerTurn = 0;

  private constructor(stage: Stage, handler: Person, visitors: Person[]) {
    this.#stage = stage;
    this.#handler = handler;
    this.#visitors = visitors;
  }

  static async arrive(stage: Stage): Promise<People> {
    const visitors = await stage.visitors('desk-0', VISITORS);
    const ids = visitors.flatMap(({ conversationIds }) => conversationIds);
    const people = new People(stage, await stage.handler('desk-0', ids), visitors);
    await people.#start();
    return people;
  }

  /** The figures since the last call. */
  takeFigures(): Figures {
    const taken = this.figures;
    this.figures = noFigures();
    return taken;
  }

  /** Stops sending, waits for the rest, and reports what is missing. */
  async leave(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await until(() => this.#unacked.size + this.#unreceived.size === 0, 60_000);
    if (this.#unacked.size > 0) this.findings.push(`${this.#unacked.size} messages without an ack`);
    if (this.#unreceived.size > 0)
      this.findings.push(`${this.#unreceived.size} messages did not reach the other side`);
    const stored = await this.#stage.countMessages(this.#handler.conversationIds);
    if (stored !== this.#sent.size) this.findings.push(`${this.#sent.size} messages sent, ${stored} stored`);
    for (const socket of this.#sockets) socket.removeAllListeners('close').terminate();
  }

  async #start(): Promise<void> {
    const desk = await this.#connect('handler', this.#handler);
    desk.send(JSON.stringify({ type: 'watchQueue' } satisfies Up));
    for (const [at, visitor] of this.#visitors.entries()) {
      const name = `visitor ${at}`;
      const socket = await this.#connect(name, visitor);
      const [conversationId = ''] = visitor.conversationIds;
      // Staggered, so that the messages do not come in bursts.
      setTimeout(
        () => this.#every(VISITOR_EVERY_MS, () => this.#send(socket, name, conversationId)),
        (at * VISITOR_EVERY_MS) / VISITORS,
      );
    }
    this.#every(HANDLER_EVERY_MS, () => {
      const ids = this.#handler.conversationIds;
      this.#send(desk, 'handler', ids[this.#handlerTurn++ % ids.length] ?? '');
    });
    this.#every(QUEUE_EVERY_MS, () => void this.#readQueue());
  }

  #every(ms: number, act: () => void): void {
    this.#timers.push(setInterval(act, ms));
  }

  async #connect(name: string, { token, conversationIds }: Person): Promise<WebSocket> {
    const { port, origin } = this.#stage;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { origin, perMessageDeflate: false });
    this.#sockets.push(socket);
    let watched = 0;
    socket.on('error', (error) => this.findings.push(`${name}: ${error.message}`));
    socket.on('close', (code, reason) =>
      this.findings.push(`${name} lost the connection: ${code} ${reason.toString()}`),
    );
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Down;
      if (frame.type === 'watched') watched += 1;
      else this.#receive(name, frame);
    });
    socket.on('open', () => {
      const frames: Up[] = [
        { type: 'hello', version: PROTOCOL_VERSION, token },
        ...conversationIds.map((conversationId) => ({ type: 'watch' as const, conversationId })),
      ];
      for (const frame of frames) socket.send(JSON.stringify(frame));
    });
    if (!(await until(() => watched === conversationIds.length, 60_000)))
      throw new Error(`${name} cannot open the chats`);
    return socket;
  }

  #receive(name: string, frame: Down): void {
    const now = performance.now();
    if (frame.type === 'refused') {
      if (isRetryable(frame.code)) this.figures.refused.push(frame.code);
      else this.findings.push(`${name} was refused: ${frame.code}`);
      if (frame.conversationId !== undefined) this.#sendAgainSoon(frame.conversationId);
    }
    if (frame.type === 'ack' && this.#unacked.delete(frame.id))
      this.figures.ack.push(now - (this.#sent.get(frame.id)?.at ?? 0));
    if (frame.type !== 'message') return;
    const { id, seq, conversationId } = frame.message;
    // A sender may get a copy after the ack, if the gateway read a gap from the database.
    if (this.#sent.get(id)?.by === name) return;
    if (!this.#unreceived.delete(id)) this.findings.push(`${name} received a message twice`);
    this.figures.receipt.push(now - (this.#sent.get(id)?.at ?? 0));
    // Each side receives only what the other wrote, so the numbers increase, with gaps.
    const key = `${name} ${conversationId}`;
    if (seq <= (this.#lastSeq.get(key) ?? 0)) this.findings.push(`${name} received messages out of order`);
    this.#lastSeq.set(key, seq);
  }

  #send(socket: WebSocket, name: string, conversationId: string): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    const id = randomUUID();
    this.#sent.set(id, { by: name, at: performance.now() });
    this.#unreceived.add(id);
    const frame = JSON.stringify({ type: 'send', conversationId, id, text: 'Hello' } satisfies Up);
    const send = (): void => socket.send(frame);
    this.#unacked.set(id, { conversationId, send });
    send();
  }

  /** Like a page. Otherwise, all later messages of the conversation would be refused too. */
  #sendAgainSoon(conversationId: string): void {
    if (this.#resending.has(conversationId)) return;
    this.#resending.add(conversationId);
    setTimeout(() => {
      this.#resending.delete(conversationId);
      for (const unacked of this.#unacked.values())
        if (unacked.conversationId === conversationId) unacked.send();
    }, RESEND_AFTER_MS);
  }

  async #readQueue(): Promise<void> {
    const began = performance.now();
    const { port, origin } = this.#stage;
    try {
      const { status } = await fetch(`http://127.0.0.1:${port}/queue`, {
        headers: { origin, authorization: `Bearer ${this.#handler.token}`, ...ONE_USE },
      });
      if (status === 200) this.figures.queue.push(performance.now() - began);
      else this.findings.push(`the queue answered ${status}`);
    } catch (error) {
      this.findings.push(`the queue did not answer: ${String(error)}`);
    }
  }
}

function noFigures(): Figures {
  return { ack: [], receipt: [], queue: [], refused: [] };
}

export function p99({ ack, receipt, queue }: Figures): Record<keyof Times, number> {
  const of = (values: number[]): number => Math.round(quantile(values, 0.99) * 10) / 10;
  return { ack: of(ack), receipt: of(receipt), queue: of(queue) };
}
