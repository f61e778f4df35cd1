import { calls } from '@settee/protocol/calls/http';
import { expect, test, vi } from 'vitest';
import { createApi } from './api.ts';
import { systemClock } from './clock.ts';
import { tokenHolder } from './tokens.ts';

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
