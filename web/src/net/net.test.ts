import { calls } from '@settee/protocol/calls/http';
import { Uuid } from '@settee/protocol/model/ids';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Api, createApi, tokenHolder } from './api.ts';
import { systemClock } from './clock.ts';
import { putFile } from './fileTransfer.ts';
import { randomId } from './randomId.ts';
import { retryUntilAnswered, withRetries } from './retry.ts';

type Asked = { url: string; authorization: string | null; body: string | null };

function server(...answers: (Response | Error)[]) {
  const asked: Asked[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const headers = new Headers(init?.headers);
    const body = typeof init?.body === 'string' ? init.body : null;
    asked.push({ url: url as string, authorization: headers.get('authorization'), body });
    const answer = answers.shift();
    if (answer instanceof Response) return answer;
    throw answer ?? new Error('no more answers');
  };
  return { fetch, asked };
}

function tokens() {
  let count = 0;
  return tokenHolder(systemClock, async () => {
    count += 1;
    return { idToken: `token-${count}`, expiresAt: Date.now() + 3_600_000 };
  });
}

const claim = { body: { token: 't', csrf: '1' } };
const empty = (status: number, statusText: string) => new Response('', { status, statusText });
const ID = 'c0000000-0000-4000-8000-000000000000';

test('[E-05] a failure without a server text is HTTP and the status; claim and attach add the status text', async () => {
  const { fetch } = server(
    empty(500, 'Internal Server Error'),
    empty(500, 'Internal Server Error'),
    empty(502, 'Bad Gateway'),
  );
  const api = createApi(calls, { fetch, tokens: tokens() });
  expect(await api('readBrand', {})).toMatchObject({ ok: false, status: 500, text: 'HTTP 500' });
  expect(await api('claimInvite', claim)).toMatchObject({ text: 'HTTP 500 Internal Server Error' });
  expect(await api('attachInvite', { body: { token: 't', code: '', csrf: '1' } })).toMatchObject({
    text: 'HTTP 502 Bad Gateway',
  });
});

test('the server’s error text is used, with its fields', async () => {
  const answer = { success: false, conversationId: null, needsCode: true, error: 'Continue code required' };
  const { fetch } = server(Response.json(answer));
  const api = createApi(calls, { fetch, tokens: tokens() });
  const attached = await api('attachInvite', { body: { token: 't', code: '', csrf: '1' } });
  expect(attached).toMatchObject({ ok: false, text: 'Continue code required', answer: { needsCode: true } });
});

test('a response with an unexpected shape is a failure', async () => {
  const { fetch } = server(Response.json({ success: true, conversation: { id: 'no' } }));
  const api = createApi(calls, { fetch, tokens: tokens() });
  expect(await api('readConversation', { params: { id: ID } })).toMatchObject({
    ok: false,
    text: 'HTTP 200',
  });
});

test('[NET-27] a failure carries the wait of its Retry-After, if it is a number', async () => {
  const later = (seconds: string) => new Response('', { status: 429, headers: { 'retry-after': seconds } });
  const { fetch } = server(later('7'), later('Wed, 18 Nov 2026 00:00:00 GMT'), empty(503, ''));
  const api = createApi(calls, { fetch });
  expect(await api('readBrand', {})).toMatchObject({ status: 429, waitMs: 7_000 });
  expect(await api('readBrand', {})).toMatchObject({ status: 429, waitMs: undefined });
  expect(await api('readBrand', {})).toMatchObject({ status: 503, waitMs: undefined });
});

test('no response is a network error', async () => {
  const { fetch } = server(new TypeError('failed to fetch'));
  expect(await createApi(calls, { fetch })('readBrand', {})).toMatchObject({
    status: 0,
    text: 'Network error',
  });
});

test('calls that need a token send it in the header, and renew it once on 401', async () => {
  const { fetch, asked } = server(
    empty(401, ''),
    Response.json({ success: true, messages: [], head: 0 }),
    empty(401, ''),
    empty(401, ''),
    empty(500, ''),
  );
  const api = createApi(calls, { fetch, tokens: tokens() });
  const page = await api('readMessages', { params: { id: ID }, query: { before: '7' } });
  expect(page.ok).toBe(true);
  expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  expect(asked[0]?.url).toBe(`/conversations/${ID}/messages?before=7`);
  expect(await api('readConversation', { params: { id: ID } })).toMatchObject({ ok: false, status: 401 });
  expect(asked).toHaveLength(4);
  await api('checkInvite', { params: { token: 'a/b' } });
  expect(asked[4]).toEqual({ url: '/checkInvite/a%2Fb', authorization: null, body: null });
});

test('parallel callers request one token', async () => {
  let asked = 0;
  const holder = tokenHolder(systemClock, async () => {
    asked += 1;
    return { idToken: 't', expiresAt: Date.now() + 3_600_000 };
  });
  await Promise.all([holder.get(), holder.get(), holder.renew()]);
  await holder.get();
  expect(asked).toBe(1);
});

test('[LANG-01] a call asks for the language of the page', async () => {
  vi.stubGlobal('document', { documentElement: { lang: 'pt-BR' } });
  const asked: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    asked.push(new Headers(init?.headers).get('accept-language'));
    return empty(500, '');
  };
  await createApi(calls, { fetch, tokens: tokens() })('claimInvite', claim);
  vi.unstubAllGlobals();
  expect(asked).toEqual(['pt-BR']);
});

describe('retries', () => {
  beforeEach(() => void vi.useFakeTimers());

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const lost = { ok: false, status: 0 };

  /** Returns these answers one after the other, the last one forever. */
  function giving<T>(...answers: T[]) {
    return vi.fn(async () => (answers.length > 1 ? answers.shift() : answers[0]) as T);
  }

  test('[NET-14] a call without an answer is repeated three times, with growing pauses', async () => {
    const ask = giving(false);
    const begun = Date.now();
    const asked = retryUntilAnswered(ask, Boolean);
    await vi.runAllTimersAsync();
    expect(await asked).toBe(false);
    expect(ask).toHaveBeenCalledTimes(4);
    expect(Date.now() - begun).toBeGreaterThan(2_500);
    expect(Date.now() - begun).toBeLessThan(5_000);
  });

  test('[NET-14] an answer ends the repeats, and so does a browser that is offline', async () => {
    const ask = giving(false, true);
    const asked = retryUntilAnswered(ask, Boolean);
    await vi.runAllTimersAsync();
    expect(await asked).toBe(true);
    expect(ask).toHaveBeenCalledTimes(2);

    vi.stubGlobal('navigator', { onLine: false });
    const offline = giving(false);
    expect(await retryUntilAnswered(offline, Boolean)).toBe(false);
    expect(offline).toHaveBeenCalledTimes(1);
  });

  test('[NET-14] only calls that may arrive twice are repeated, and a refusal is an answer', async () => {
    const calls: string[] = [];
    const api = withRetries(
      (async (name: string) => {
        calls.push(name);
        return name === 'checkInvite' ? { ok: false, status: 503 } : lost;
      }) as unknown as Api,
      (name) => name !== 'eraseOwn',
    );
    const all = Promise.all([
      api('checkInvite', { params: { token: 't' } }),
      api('readBrand', {}),
      api('eraseOwn' as 'readBrand', {}),
    ]);
    await vi.runAllTimersAsync();
    await all;
    expect(calls.filter((name) => name === 'checkInvite')).toHaveLength(1);
    expect(calls.filter((name) => name === 'readBrand')).toHaveLength(4);
    expect(calls.filter((name) => name === 'eraseOwn')).toHaveLength(1);
  });
});

describe('a file transfer', () => {
  /** A connection that the test controls: no real server can stop between two bytes. */
  class Line {
    static last: Line;
    upload: { onprogress?: (event: { loaded: number }) => void; onload?: () => void } = {};
    onloadend = () => {};
    status = 0;
    asked: string[] = [];
    withCredentials = true;
    open(method: string, url: string): void {
      this.asked.push(`${method} ${url}`);
    }
    setRequestHeader(name: string, value: string): void {
      this.asked.push(`${name}: ${value}`);
    }
    send(): void {
      Line.last = this;
    }
    abort(): void {
      this.onloadend();
    }
  }

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('XMLHttpRequest', Line);
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  function put() {
    const ended: string[] = [];
    const options = { type: 'image/png', onProgress: () => {}, signal: new AbortController().signal };
    void putFile('/store', new Blob(['0123456789']), options).then((result) => ended.push(result));
    const { upload } = Line.last;
    return {
      ended,
      moved: (loaded: number) => upload.onprogress?.({ loaded }),
      gone: () => upload.onload?.(),
    };
  }

  test('[L-06] a file is sent with its type, and without a token or cookies', async () => {
    const { ended } = put();
    expect(Line.last.asked).toEqual(['PUT /store', 'content-type: image/png']);
    expect(Line.last.withCredentials).toBe(false);
    Line.last.status = 200;
    Line.last.onloadend();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toEqual(['stored']);
  });

  test('[L-06] a connection that carried bytes times out after half a minute of silence', async () => {
    const { ended, moved } = put();
    await vi.advanceTimersByTimeAsync(120_000);
    moved(3);
    await vi.advanceTimersByTimeAsync(29_000);
    moved(4);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).toEqual(['lost']);
  });

  test('[L-06] a fully sent upload has minutes to be confirmed', async () => {
    const { ended, moved, gone } = put();
    moved(10);
    gone();
    await vi.advanceTimersByTimeAsync(240_000);
    expect(ended).toEqual([]);
    Line.last.status = 200;
    Line.last.onloadend();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toEqual(['stored']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('ids made without crypto.randomUUID are version 4 UUIDs, and unique', () => {
  const ids = Array.from({ length: 1_000 }, randomId);
  for (const id of ids) {
    expect(v.is(Uuid, id)).toBe(true);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(new Set(ids).size).toBe(ids.length);
  // Every free digit takes every value.
  for (let place = 0; place < 8; place += 1) {
    expect(new Set(ids.map((id) => id[place])).size).toBe(16);
  }
});
