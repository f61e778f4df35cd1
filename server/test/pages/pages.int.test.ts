import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { defaultBrand } from '@settee/protocol/model/brand';
import { visitorCatalogues } from '@settee/protocol/translations/translations';
import { afterAll, beforeAll, expect, type MockInstance, test, vi } from 'vitest';
import { hashInviteToken } from '../../src/platform/auth/inviteToken.ts';
import { setBrand } from '../../src/profile/setBrand.ts';
import { claimed, invite } from '../support/browser.ts';
import { buildPages } from '../support/builtPages.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { openTransaction } from '../support/openTransaction.ts';
import { testS3 } from '../support/testMedia.ts';
import { gradePage } from './observatory.ts';

const pages = buildPages();
let server: TestServer;
let warn: MockInstance<TestServer['app']['log']['warn']>;
beforeAll(async () => {
  server = await startTestServer({ config: { webRoot: pages.folder, lookupsPerMinute: 1_000 } });
  warn = vi.spyOn(server.app.log, 'warn');
});
afterAll(async () => {
  await server.close();
  pages.remove();
});

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** The raw response: fetch would decompress it and hide the encoding. */
function askOnce(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(server.url + path, { method, headers }, (response) => {
      const { statusCode: status = 0, headers } = response;
      buffer(response).then((body) => resolve({ status, headers, body }), reject);
    });
    request.on('error', reject).end();
  });
}

/** The response with the profile: a page waits only a second for it, and then shows the defaults. */
async function ask(...asked: Parameters<typeof askOnce>): Promise<Answer> {
  const late = () => warn.mock.calls.filter(([, text]) => text === 'profile not read for the page').length;
  for (;;) {
    const before = late();
    const answer = await askOnce(...asked);
    if (late() === before) return answer;
  }
}

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

async function pageText(path: string): Promise<string> {
  return (await ask(path, BROWSER)).body.toString();
}

async function stateOf(token: string): Promise<unknown> {
  const { rows } = await server.app.db.pool.query(
    'select state, expires_at from invites where token_hash = $1',
    [hashInviteToken(token)],
  );
  return rows[0];
}

/** Scripts, styles, images and preloads that a page refers to. */
function assetsOf(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
}

/** User agents of previews and search engines. */
const CRAWLERS = {
  Facebook: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  WhatsApp: 'WhatsApp/2.23.20.0',
};

test('[INVITE-01] crawlers read an invite’s page, its assets and its check, and it stays NEW', async () => {
  const token = await invite(server);
  const before = await stateOf(token);
  expect(before).toMatchObject({ state: 'NEW' });
  const assets = assetsOf(await pageText(`/i/${token}`));
  expect(assets.length).toBeGreaterThan(3);
  const manifest = `/i/${token}/manifest.webmanifest`;
  const paths = [`/i/${token}`, manifest, `/checkInvite/${token}`, '/robots.txt', ...assets];
  for (const agent of Object.values(CRAWLERS)) {
    for (const path of paths) {
      for (const method of ['GET', 'HEAD']) {
        const { status } = await ask(path, { 'user-agent': agent, accept: '*/*' }, method);
        expect(status, `${method} ${path} as ${agent}`).toBe(200);
      }
    }
  }
  expect(await stateOf(token)).toEqual(before);
});

test('[PAGE-03] the page is identical to the byte, whatever the state of the invite', async () => {
  const fresh = await invite(server);
  const { token: bound } = await claimed(server);
  const [revoked, expired] = [await invite(server), await invite(server)];
  await server.app.db.pool.query(
    "update invites set state = 'REVOKED', revoked_at = now() where token_hash = $1",
    [hashInviteToken(revoked)],
  );
  await server.app.db.pool.query('update invites set expires_at = now() where token_hash = $1', [
    hashInviteToken(expired),
  ]);
  const unknown = `${fresh.slice(0, 2)}${'A'.repeat(32)}`;
  const [first, ...others] = await Promise.all(
    [fresh, bound, revoked, expired, unknown, 'cut-o', `${fresh}/`].map((token) =>
      ask(`/i/${token}`, BROWSER),
    ),
  );
  const comparable = ({ status, headers: { date, ...headers }, body }: Answer) => ({
    status,
    headers,
    body: body.toString(),
  });
  expect(first?.status).toBe(200);
  expect(first?.body.toString()).not.toContain(fresh);
  expect(first?.headers['set-cookie']).toBeUndefined();
  for (const other of others) expect(comparable(other)).toEqual(first && comparable(first));
  expect(await pageText('/chat')).toBe(first?.body.toString());
  expect(await stateOf(fresh)).toMatchObject({ state: 'NEW' });
});

test('[PAGE-04] [D-05] the page contains the current profile, escaped', async () => {
  const path = `/i/${await invite(server)}`;
  expect(await pageText(path)).toContain('<title>Settee</title>');
  await setBrand(
    server.app,
    { displayName: '<Mara> & "Co"', avatarUrl: '/mara.webp', verified: true, disclosure: 'We all answer' },
    'test',
  );
  const page = await pageText(path);
  expect(page).toContain('<title>&lt;Mara&gt; &amp; &quot;Co&quot;</title>');
  expect(page).toContain('<span>&lt;Mara&gt; &amp; &quot;Co&quot;</span>');
  expect(page).toMatch(/<img\s+src="\/mara\.webp\?v=\d+"/);
  expect(page).toContain('class="waiting-seal"');
  expect(page).not.toContain('<Mara>');
  expect(page).not.toContain('{{');
  const served = /data-brand="([^"]+)"/.exec(page)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  const { brand } = (await server.request('GET', '/brand')).body;
  expect(JSON.parse(served?.replaceAll('&lt;', '<').replaceAll('&gt;', '>') ?? '')).toEqual(brand);

  await setBrand(server.app, { displayName: 'Mara Lindqvist', verified: false }, 'test');
  const changed = await pageText(path);
  expect(changed).toContain('<title>Mara Lindqvist</title>');
  expect(changed).not.toContain('class="waiting-seal"');
});

test('[E-09] when the profile cannot be read, the page shows the defaults', async () => {
  const path = `/i/${await invite(server)}`;
  const normal = await pageText(path);
  await server.asOwner('alter table profiles rename to profiles_away');
  try {
    const { status, body } = await askOnce(path, BROWSER);
    expect(status).toBe(200);
    expect(body.toString()).toContain(`<title>${defaultBrand.displayName}</title>`);
    expect(body.toString()).toContain('class="waiting-seal"');
  } finally {
    await server.asOwner('alter table profiles_away rename to profiles');
  }
  // Silent instead of refused, like a stalled database.
  const locker = await openTransaction(server);
  try {
    await locker.query('lock table profiles in access exclusive mode');
    const { body } = await askOnce(path, BROWSER);
    expect(body.toString()).toContain(`<title>${defaultBrand.displayName}</title>`);
  } finally {
    await locker.rollback();
  }
  expect(await pageText(path)).toBe(normal);
});

test('a shared link shows a neutral card', async () => {
  const token = await invite(server);
  const page = await pageText(`/i/${token}`);
  const meta = Object.fromEntries(
    [...page.matchAll(/<meta (?:name|property)="((?:og|twitter):[^"]+|description)" content="([^"]*)"/g)].map(
      ([, name, content]) => [name, content],
    ),
  );
  expect(meta).toEqual({
    description: 'Open this link to take your seat.',
    'og:type': 'website',
    'og:title': 'A private conversation',
    'og:description': 'Open this link to take your seat.',
    'twitter:card': 'summary',
    'twitter:title': 'A private conversation',
    'twitter:description': 'Open this link to take your seat.',
  });
});

test('[PAGE-06] pages are not cached, send no referrer, and have few permissions', async () => {
  for (const path of [`/i/${await invite(server)}`, '/chat', '/handler', '/handler/x', '/', '/nowhere']) {
    const { headers } = await ask(path, BROWSER);
    expect(headers['cache-control'], path).toBe('no-store');
    expect(headers['referrer-policy'], path).toBe('no-referrer');
    expect(headers['x-robots-tag'], path).toBe(path === '/' ? undefined : 'noindex');
    expect(headers['x-content-type-options'], path).toBe('nosniff');
    expect(headers['cross-origin-opener-policy'], path).toBe('same-origin');
    expect(headers['permissions-policy'], path).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\)/);
    expect(headers['strict-transport-security'], path).toBeUndefined();
    const policy = headers['content-security-policy'] ?? '';
    expect(policy, path).toMatch(/script-src 'self' 'sha256-[A-Za-z0-9+/]{43}='; /);
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(policy, path).toContain("require-trusted-types-for 'script'; trusted-types settee");
    expect(policy, path).not.toMatch(/unsafe|https?:|\*/);
  }
  expect((await ask('/', BROWSER)).body.toString()).not.toContain('noindex');
  const robots = await ask('/robots.txt');
  expect(robots.headers['content-type']).toContain('text/plain');
  // A search engine must be able to read a page to see that it is not to be indexed.
  expect(robots.body.toString()).toBe('User-agent: *\nAllow: /\n');
});

test('[PAGE-06] [MEDIA-01] the chat’s pages may send and show images at the media store, and the others may not', async () => {
  const s3 = { ...testS3(), publicEndpoint: 'https://media.example:9000/s3' };
  const stored = await server.startAnother({ config: { s3 } });
  const policyOf = async (path: string) =>
    (await fetch(stored.url + path, { headers: BROWSER })).headers.get('content-security-policy') ?? '';
  for (const path of ['/chat', '/handler']) {
    const named = (await policyOf(path)).split('; ').filter((part) => part.includes('media.example'));
    expect(named, path).toEqual([
      `img-src 'self' data: blob: https://media.example:9000/s3/${s3.bucket}/`,
      `media-src 'self' blob: https://media.example:9000/s3/${s3.bucket}/`,
      `connect-src 'self' https://media.example:9000/s3/${s3.bucket}/`,
    ]);
  }
  expect(await policyOf('/nowhere')).not.toContain('media.example');
});

test('[PAGE-06] under https every page and call gets an A+ by the rules of the HTTP Observatory, and requires https except on localhost', async () => {
  const secure = await startTestServer({
    config: { webRoot: pages.folder, publicUrl: 'https://settee.test' },
  });
  try {
    const token = await invite(secure);
    for (const path of [
      '/',
      `/i/${token}`,
      '/handler/queue',
      '/admin',
      '/nowhere',
      `/checkInvite/${token}`,
      '/robots.txt',
      '/sw.js',
    ]) {
      const { headers, body } = await secure.request('GET', path, { headers: BROWSER });
      expect(headers.get('strict-transport-security'), path).toBe('max-age=31536000');
      const { score, results } = gradePage(headers, String(body));
      expect(
        results.filter(({ points }) => points < 0),
        path,
      ).toEqual([]);
      expect(score, path).toBeGreaterThanOrEqual(100);
    }
    const visitor = await secure.request('POST', '/auth/anonymous');
    expect(gradePage(visitor.headers, '').results).toContainEqual({ rule: 'cookies', points: 5 });
    for (const [config, expected] of [
      [{ hstsSubdomains: true }, 'max-age=31536000; includeSubDomains'],
      [{ publicUrl: 'https://localhost:8443' }, null],
    ] as const) {
      const { url } = await secure.startAnother({ config });
      expect((await fetch(`${url}/brand`)).headers.get('strict-transport-security')).toBe(expected);
    }
  } finally {
    await secure.close();
  }
});

test('an unknown address is a page for people and JSON for programs', async () => {
  for (const path of [
    '/nowhere',
    '/i',
    '/i/',
    '/i/a/b',
    '/assets/none.js',
    '/i/%E0%A4%A',
    `/i/${'x'.repeat(200)}`,
  ]) {
    const page = await ask(path, BROWSER);
    expect(page.status, path).toBe(404);
    expect(page.headers['content-type'], path).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy'], path).toContain("default-src 'none'");
    expect(page.headers['cache-control'], path).toBe('no-store');
    const html = page.body.toString();
    expect(html, path).toContain('Nobody’s sitting here');
    expect(html, path).toContain('This page doesn’t exist.');
    expect(html, path).toContain('href="/">Go to Home</a>');
    expect(html, path).toContain('rel="stylesheet"');
    expect((await ask(path, BROWSER, 'HEAD')).status, path).toBe(404);

    const answer = await ask(path, { accept: 'application/json' });
    expect(answer.status, path).toBe(404);
    expect(JSON.parse(answer.body.toString()), path).toEqual({
      success: false,
      error: 'This page doesn’t exist.',
      code: 'not_found',
    });
  }
  const posted = await ask('/nowhere', BROWSER, 'POST');
  expect([posted.status, posted.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
});

test('pages, scripts and styles are compressed, and say so', async () => {
  const path = `/i/${await invite(server)}`;
  const assets = assetsOf(await pageText(path)).filter((asset) => /\.(js|css)$/.test(asset));
  for (const asset of [path, '/', '/nowhere', ...assets]) {
    const plain = await ask(asset, { ...BROWSER, 'accept-encoding': 'identity' });
    expect(plain.headers['content-encoding'], asset).toBeUndefined();
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
    ] as const) {
      const small = await ask(asset, { ...BROWSER, 'accept-encoding': accepted });
      expect(small.headers['content-encoding'], asset).toBe(encoding);
      expect(small.headers.vary?.toLowerCase(), asset).toContain('accept-encoding');
      expect(small.headers['content-type'], asset).toBe(plain.headers['content-type']);
      expect(small.body.length, asset).toBeLessThan(plain.body.length);
      expect(decode(small.body).equals(plain.body), asset).toBe(true);
    }
    expect(plain.headers.vary?.toLowerCase(), asset).toContain('accept-encoding');
  }
  const [asset = ''] = assets;
  expect((await ask(asset)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await ask('/favicon.svg')).headers['cache-control']).toBe('public, max-age=86400');
});

type Manifest = {
  id: string;
  start_url: string;
  scope: string;
  name: string;
  display: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
};

test('an installed chat is this chat, and its manifest reveals no more than the page', async () => {
  await setBrand(server.app, { displayName: 'Mara "M" Lindqvist' }, 'test');
  const { token: bound } = await claimed(server);
  const starts = [`/i/${await invite(server)}`, `/i/${bound}`, '/i/never-made', '/chat', '/handler'];
  const manifests: unknown[] = [];
  for (const start of starts) {
    const { status, headers, body } = await ask(`${start}/manifest.webmanifest`, {
      'accept-encoding': 'gzip, br',
    });
    expect(status, start).toBe(200);
    expect(headers['content-type'], start).toBe('application/manifest+json; charset=utf-8');
    expect(headers['cache-control'], start).toBe('no-store');
    expect(headers['x-robots-tag'], start).toBe('noindex');
    expect(headers['referrer-policy'], start).toBe('no-referrer');
    // The response repeats a token: if it were compressed, its length would reveal it.
    expect(headers['content-encoding'], start).toBeUndefined();
    const manifest = JSON.parse(body.toString()) as Manifest;
    expect(manifest, start).toMatchObject({
      id: start,
      start_url: start,
      scope: start,
      display: 'standalone',
    });
    expect(manifest.name, start).toBe(
      start === '/handler' ? 'Mara "M" Lindqvist · Console' : 'Mara "M" Lindqvist',
    );
    manifests.push({ ...manifest, id: '', start_url: '', scope: '' });
  }
  const [first, ...others] = manifests.slice(0, 4);
  for (const other of others) expect(other).toEqual(first);
  expect(await stateOf(bound)).toMatchObject({ state: 'BOUND' });
});

test('[LANG-01] a page has the chosen language, or that of the browser, or the default of the profile', async () => {
  const language = async (path: string, headers: Record<string, string> = {}) => {
    const { body, headers: sent } = await ask(path, { ...BROWSER, ...headers });
    expect(sent.vary).toBe('accept-encoding, accept-language, cookie');
    return /<html lang="([^"]+)"/.exec(body.toString())?.[1];
  };
  expect(await language('/chat')).toBe('en');
  expect(await language('/chat', { 'accept-language': 'pt-BR,pt;q=0.9' })).toBe('pt-BR');
  expect(await language('/chat', { 'accept-language': 'ja', cookie: 'language=ar' })).toBe('ar');
  expect(await language('/chat', { cookie: 'language=klingon' })).toBe('en');
  expect(await language('/handler', { 'accept-language': 'ja, de;q=0.5' })).toBe('ja');
  expect(await language('/', { 'accept-language': 'pl' })).toBe('pl');
  expect(await language('/no-such-page', { 'accept-language': 'it' })).toBe('it');

  await setBrand({ db: server.app.db }, { language: 'nl' }, 'cli');
  expect(await language('/chat', { 'accept-language': 'fi' })).toBe('nl');
  expect(await language('/chat', { 'accept-language': 'en' })).toBe('en');
  await setBrand({ db: server.app.db }, { language: 'en' }, 'cli');
});

test('[LANG-01] a refusal has its text in the language of the reader', async () => {
  const text = async (headers: Record<string, string>) => {
    const { body } = await ask('/checkInvite/nothing', headers);
    return (JSON.parse(body.toString()) as { error: string; code: string }).error;
  };
  expect(await text({})).toBe(visitorCatalogues.en.texts.inviteNotFound);
  expect(await text({ 'accept-language': 'fr' })).toBe(visitorCatalogues.fr.texts.inviteNotFound);
  expect(await text({ 'accept-language': 'fr', cookie: 'language=pl' })).toBe(
    visitorCatalogues.pl.texts.inviteNotFound,
  );
});
