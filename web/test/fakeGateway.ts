import type { Call } from '@settee/protocol/calls/call';
import { errors } from '@settee/protocol/calls/errors';
import { type CallName, type Calls, calls } from '@settee/protocol/calls/http';
import { VisitorDown } from '@settee/protocol/frames/down';
import { StaffDown } from '@settee/protocol/frames/staffDown';
import { Up } from '@settee/protocol/frames/up';
import type { ErrorCode } from '@settee/protocol/model/errorCodes';
import * as v from 'valibot';
import { expect, onTestFinished, vi } from 'vitest';

const frameSchemas = { visitor: VisitorDown, staff: StaffDown };
export type Side = keyof typeof frameSchemas;

/** A frame that the server sends to this side. Fields with a default can be omitted. */
export type DownFrame<S extends Side> = v.InferInput<(typeof frameSchemas)[S]>;

type Output<T> = T extends v.GenericSchema ? v.InferOutput<T> : undefined;
export type FakeRequest<N extends CallName> = {
  params: Record<string, string>;
  query: Output<Calls[N]['query']>;
  body: Output<Calls[N]['body']>;
};

type WithoutSuccess<T> = T extends { success: unknown }
  ? Omit<T, 'success'> & Partial<Pick<T, 'success'>>
  : never;
/** The fields of an answer. `success` is true unless given. */
type Fields<N extends CallName> = WithoutSuccess<v.InferInput<Calls[N]['answer']>>;

/** A refusal, as the server sends it. `fields` replace those that the call declares for refusals. */
export class Refused {
  readonly code: ErrorCode;
  readonly fields: Record<string, unknown>;
  constructor(code: ErrorCode, fields: Record<string, unknown> = {}) {
    this.code = code;
    this.fields = fields;
  }
}

/** An answer from a proxy or a network page instead of the server. */
export class Foreign {
  readonly status: number;
  readonly statusText: string;
  readonly body: string;
  constructor(status: number, statusText = '', body = '<html></html>') {
    this.status = status;
    this.statusText = statusText;
    this.body = body;
  }
}

/** No answer arrives. */
export const lost = Symbol('lost');

type Reply<N extends CallName> = Fields<N> | Refused | Foreign | typeof lost;
export type Answers = {
  [N in CallName]?: Fields<N> | ((request: FakeRequest<N>) => Reply<N> | Promise<Reply<N>>);
};
type Answerer = (request: FakeRequest<CallName>) => unknown;

/** What the server does with each kind of frame: the frames that it sends back. */
export type FrameHandlers<S extends Side> = {
  [T in Up['type']]?: (frame: Extract<Up, { type: T }>) => DownFrame<S>[];
};

type Asked = { name: CallName; request: FakeRequest<CallName> };

/**
 * A server for component tests. It replaces `fetch` and `WebSocket`, so the page under test uses its real stores and
 * its real network code. It checks every request, answer and frame with the schemas of the protocol. A violation, and a
 * request without an answer, fail the test.
 */
export function fakeGateway<S extends Side>(side: S, answers: Answers, handlers: FrameHandlers<S>) {
  const table = new Map<CallName, Answerer>();
  const asked: Asked[] = [];
  const received: Up[] = [];
  const problems: string[] = [];
  const sockets = new Set<FakeSocket>();
  const onFrame: FrameHandlers<S> = { ...handlers };
  let line: 'up' | 'down' | 'frozen' = 'up';

  function setAnswer(name: CallName, answer: Answers[CallName]): void {
    table.set(name, (typeof answer === 'function' ? answer : () => answer) as Answerer);
  }
  for (const [name, answer] of Object.entries(answers)) setAnswer(name as CallName, answer);

  async function respond(found: Asked, signal: AbortSignal | null | undefined): Promise<Response> {
    if (line === 'down') throw new TypeError('Failed to fetch');
    if (line === 'frozen') return aborted(signal);
    const answer = table.get(found.name);
    if (!answer) problems.push(`${found.name} has no answer in this test`);
    const reply = answer ? await Promise.race([answer(found.request), aborted(signal)]) : lost;
    if (reply === lost) throw new TypeError('Failed to fetch');
    if (reply instanceof Foreign) {
      const { status, statusText, body } = reply;
      return new Response(body, { status, statusText });
    }
    const { answer: schema, refused }: Call = calls[found.name];
    if (reply instanceof Refused) {
      const { status, text } = errors[reply.code];
      return Response.json(
        { success: false, error: text, code: reply.code, ...refused, ...reply.fields },
        { status },
      );
    }
    const body = { success: true, ...(reply as object) };
    problems.push(...mismatches(`the answer to ${found.name}`, schema, body));
    return Response.json(body);
  }

  const realFetch = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, location.origin);
    const match = url.origin === location.origin ? matchCall(init.method ?? 'GET', url.pathname) : undefined;
    if (!match) return realFetch(input, init);
    const { name, params } = match;
    const request = readRequest(name, url, init, problems);
    const found: Asked = { name, request: { params, ...request } as FakeRequest<CallName> };
    asked.push(found);
    return respond(found, init.signal);
  });

  function sendDown(frame: DownFrame<S>, to: Iterable<FakeSocket>): void {
    problems.push(...mismatches(`the frame ${frame.type}`, frameSchemas[side], frame));
    for (const socket of to) if (line === 'up' && !socket.stalled) socket.deliver(JSON.stringify(frame));
  }

  const RealSocket = globalThis.WebSocket;
  function openSocket(): FakeSocket {
    const socket = new FakeSocket(
      (data) => {
        if (socket.stalled) return;
        const frame = v.safeParse(Up, JSON.parse(data));
        if (!frame.success) {
          problems.push(`the page sent an invalid frame: ${data}`);
          return;
        }
        received.push(frame.output);
        const handle = onFrame[frame.output.type] as ((frame: Up) => DownFrame<S>[]) | undefined;
        if (line === 'up') for (const answer of handle?.(frame.output) ?? []) sendDown(answer, [socket]);
      },
      () => sockets.delete(socket),
    );
    // The page adds its listeners first.
    void Promise.resolve().then(() => {
      if (line === 'down') socket.end(1006);
      if (line !== 'up') return;
      sockets.add(socket);
      socket.dispatchEvent(new Event('open'));
    });
    return socket;
  }
  // Not an arrow function, because the page calls it with `new`.
  vi.stubGlobal('WebSocket', function WebSocket(url: string | URL, protocols?: string | string[]) {
    const isLive = new URL(url, location.href).pathname === '/live';
    return isLive ? openSocket() : new RealSocket(url, protocols);
  });

  onTestFinished(() =>
    expect([...new Set(problems)], 'what the page or the fake gateway did wrong').toEqual([]),
  );

  return {
    /** Every request of this call so far. */
    asked: <N extends CallName>(name: N): FakeRequest<N>[] =>
      asked.filter((each) => each.name === name).map(({ request }) => request as FakeRequest<N>),
    /** Every frame of this kind that the page has sent so far. */
    received: <T extends Up['type']>(type: T) =>
      received.filter((frame): frame is Extract<Up, { type: T }> => frame.type === type),
    /** Replace single handlers here. */
    onFrame,
    openSockets: () => sockets.size,
    /** Sets or replaces an answer. */
    answer<N extends CallName>(name: N, answer: Answers[N]): void {
      setAnswer(name, answer as Answers[CallName]);
    },
    /** Delays the answers to a call until the returned function is called. */
    hold(name: CallName): () => void {
      const before = table.get(name);
      const held = Promise.withResolvers<void>();
      table.set(name, async (request) => {
        await held.promise;
        return before?.(request) ?? lost;
      });
      return () => {
        if (before) table.set(name, before);
        held.resolve();
      };
    },
    /** Sends a frame to every open socket. */
    push: (frame: DownFrame<S>): void => sendDown(frame, [...sockets]),
    /** Closes every socket with this code, as the server does. */
    close(code: number, reason = ''): void {
      for (const socket of [...sockets]) socket.end(code, reason);
    },
    /** Breaks the connection: sockets close, and requests and new sockets fail. */
    drop(): void {
      line = 'down';
      for (const socket of [...sockets]) socket.end(1006);
    },
    /** From now on nothing arrives, and nothing reports an error. */
    freeze(): void {
      line = 'frozen';
    },
    /** The open sockets carry nothing more, and nothing reports it. New sockets and requests work. */
    stall(): void {
      for (const socket of sockets) socket.stalled = true;
    },
    /** The network is back. The page gets the event that a browser sends. */
    restore(): void {
      // A socket that was frozen is lost: the server has closed it meanwhile.
      for (const socket of line === 'frozen' ? [...sockets] : []) socket.end(1006);
      line = 'up';
      dispatchEvent(new Event('online'));
    },
  };
}

/** The gateway's side of a socket. */
class FakeSocket extends EventTarget {
  readyState = 0;
  stalled = false;
  readonly #onSend: (data: string) => void;
  readonly #onEnd: () => void;

  constructor(onSend: (data: string) => void, onEnd: () => void) {
    super();
    this.#onSend = onSend;
    this.#onEnd = onEnd;
    this.addEventListener('open', () => {
      this.readyState = 1;
    });
  }

  send(data: string): void {
    if (this.readyState !== 1) return;
    // An answer never arrives before `send` returns.
    void Promise.resolve().then(() => this.#onSend(data));
  }

  close(): void {
    this.end(1000);
  }

  deliver(data: string): void {
    if (this.readyState === 1) this.dispatchEvent(new MessageEvent('message', { data }));
  }

  end(code: number, reason = ''): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.#onEnd();
    this.dispatchEvent(new CloseEvent('close', { code, reason }));
  }
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () =>
      reject(new DOMException('The request was aborted', 'AbortError')),
    );
  });
}

/** Every call with its address as an expression. Addresses without parameters come first. */
const addresses = Object.entries(calls)
  .map(([name, { method, path }]) => ({
    name: name as CallName,
    method,
    path: new RegExp(`^${path.replace(/:([a-z]+)/gi, '(?<$1>[^/]+)')}$`),
    parameters: path.split(':').length - 1,
  }))
  .toSorted((a, b) => a.parameters - b.parameters);

function matchCall(method: string, pathname: string) {
  for (const { name, method: of, path } of addresses) {
    const match = of === method ? path.exec(pathname) : null;
    if (!match) continue;
    const params = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
    return { name, params: Object.fromEntries(params) as Record<string, string> };
  }
  return undefined;
}

function readRequest(name: CallName, url: URL, init: RequestInit, problems: string[]) {
  const { auth, body: bodySchema, query: querySchema, bytes }: Call = calls[name];
  const needsToken = auth !== 'none' && auth !== 'cookie';
  if (needsToken && !new Headers(init.headers).get('authorization')?.startsWith('Bearer '))
    problems.push(`${name} was called without an ID token`);
  const given = Object.fromEntries(url.searchParams);
  const query = v.safeParse(querySchema ?? v.strictObject({}), given);
  const sent: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : (init.body ?? undefined);
  const body = v.safeParse(bytes === undefined ? (bodySchema ?? v.undefined()) : v.blob(), sent);
  for (const [part, parsed] of Object.entries({ query, body })) {
    if (!parsed.success) problems.push(`${name} was called with a wrong ${part}: ${issuesOf(parsed.issues)}`);
  }
  return { query: query.output, body: body.output };
}

/** What the schema refuses, and fields that it does not know. */
function mismatches(what: string, schema: v.GenericSchema, value: unknown): string[] {
  const parsed = v.safeParse(schema, value);
  if (!parsed.success) return [`${what} is invalid: ${issuesOf(parsed.issues)}`];
  return unknownFields(value, parsed.output).map((field) => `${what} has an unknown field: ${field}`);
}

function issuesOf(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.message}`.trim()).join('; ');
}

function unknownFields(given: unknown, known: unknown, at = ''): string[] {
  if (typeof given !== 'object' || given === null || typeof known !== 'object' || known === null) return [];
  return Object.entries(given).flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (!(key in known)) return [`${at}${key}`];
    return unknownFields(value, (known as Record<string, unknown>)[key], `${at}${key}.`);
  });
}
