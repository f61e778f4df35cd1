import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countOf, type Rate, type RateName, rates } from '../src/limits/table.ts';
import { claimed, csrf, openBrowser } from './browser.ts';
import { startTestServer, type TestServer } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    config: { limitFactor: 1, codesPerHour: 1_000, lookupsPerMinute: 1_000, trustProxy: ['loopback'] },
  });
});
afterAll(() => server.close());

const from = (address: string) => ({ 'x-forwarded-for': address });

test('[LIMIT-02] a person may rename themselves ten times a minute, and others still can', async () => {
  const [one, other] = [await claimed(server), await claimed(server)];
  const rename = ({ browser, conversationId }: typeof one) =>
    browser.call('PUT', `/conversations/${conversationId}/visitorName`, { visitorName: 'Ada' });
  for (let turn = 0; turn < rates.renames.count; turn++) expect((await rename(one)).status).toBe(200);
  const refused = await rename(one);
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ success: false, code: 'too_many' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(rates.renames.seconds);
  expect((await rename(other)).status).toBe(200);
});

test.for([
  ['erasures', 'DELETE', ''],
  ['exports', 'GET', '/export'],
  ['uploads', 'DELETE', `/media/${randomUUID()}`],
] as const)('[LIMIT-02] a person has a limit for %s', async ([limit, method, path]) => {
  const browser = await openBrowser(server);
  const call = () => browser.call(method, `/conversations/${randomUUID()}${path}`);
  for (let turn = 0; turn < rates[limit].count; turn++) expect((await call()).status).not.toBe(429);
  expect((await call()).status).toBe(429);
});

test('[LIMIT-02] a conversation gets ten new codes a minute', async () => {
  const { browser, conversationId } = await claimed(server);
  const renew = () => browser.call('POST', `/conversations/${conversationId}/continueCode`);
  for (let turn = 0; turn < rates.renewals.count; turn++) expect((await renew()).status).toBe(200);
  expect((await renew()).status).toBe(429);
});

test.for(['/seeInvite', '/claimInvite'])('[LIMIT-02] %s limits unknown tokens by address', async (path) => {
  const browser = await openBrowser(server);
  const address = from(path === '/seeInvite' ? '192.0.2.1' : '192.0.2.2');
  const use = (headers: Record<string, string>) =>
    browser.call(
      'POST',
      path,
      { token: 'a0'.padEnd(34, 'x'), ...(path === '/claimInvite' && { csrf: csrf() }) },
      headers,
    );
  for (let turn = 0; turn < rates.claims.count; turn++) expect((await use(address)).status).toBe(404);
  const refused = await use(address);
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ success: false, error: 'Too many requests. Please slow down.' });
  expect((await use(from('192.0.2.3'))).status).toBe(404);
});

test('[LIMIT-04] renewing the code does not allow more guesses for a link', async () => {
  const { browser, token, conversationId, code } = await claimed(server);
  const other = await openBrowser(server);
  let current = code;
  let tried = 0;
  let status = 403;
  while (status === 403 && tried < 100) {
    const wrong = String((Number(current) + 1) % 10_000).padStart(4, '0');
    status = (await other.attach(token, wrong)).status;
    tried += 1;
    // Before the fifth failure, which would lock the code.
    if (tried % 4 === 0) {
      const { body } = await browser.call('POST', `/conversations/${conversationId}/continueCode`);
      current = body.continueCode;
    }
  }
  expect({ status, tried }).toEqual({ status: 429, tried: rates.linkcodes.count + 1 });
});

test('[LIMIT-02] announced bytes count before the body is read', async () => {
  const announce = async (address: string): Promise<number | undefined> => {
    const sending = request(`${server.url}/auth/staff/sign-in`, {
      method: 'POST',
      headers: {
        ...from(address),
        'content-type': 'application/json',
        'content-length': String(rates.bodyBytes.count * 0.75),
      },
    });
    sending.flushHeaders();
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    sending.on('error', () => {}).destroy();
    return response.statusCode;
  };
  expect(await announce('192.0.2.4')).toBe(400);
  expect(await announce('192.0.2.4')).toBe(429);
  expect(await announce('192.0.2.5')).toBe(400);
});

test('[LIMIT-04] the factor multiplies all limits but those against guessing', () => {
  const config = { ...server.app.config, limitFactor: 10 };
  for (const name of Object.keys(rates) as RateName[]) {
    const rate: Rate = rates[name];
    if (typeof rate.count !== 'number') continue;
    expect(countOf(rate, config), name).toBe(rate.byAction === true ? rate.count : rate.count * 10);
  }
});
