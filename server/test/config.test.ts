import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BadConfig, exampleEnvironment, keys, readConfig } from '../src/config/config.ts';
import { makeVapidKey, vapidPublicKey } from '../src/config/vapidKey.ts';

const enough = { DATABASE_URL: 'postgres://settee@localhost/settee', SECRET: 's'.repeat(32) };

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof BadConfig) return error.problems;
    throw error;
  }
  return [];
}

test('two keys are enough, the others have defaults', () => {
  const config = readConfig(enough);
  expect(config).toMatchObject({ port: 8080, host: '127.0.0.1', publicUrl: 'http://localhost:8080' });
  expect(config).toMatchObject({ cell: 'a0', trustProxy: false, sendBurst: 60, appendLanes: 2 });
  expect(config).not.toHaveProperty('natsUrl');
  expect(config).not.toHaveProperty('s3');
});

test('all problems are reported at once, without quoting a value', () => {
  const problems = problemsOf({
    SECRET: 'too-short-secret',
    PORT: 'http',
    PUBLIC_URL: 'https://chat.example/path',
    CELL: 'A-1',
    S3_BUCKET: 'media',
    TRUST_PROXY: 'yes',
  });
  const named = ['DATABASE_URL', 'SECRET', 'PORT', 'PUBLIC_URL', 'CELL', 'S3', 'TRUST_PROXY'];
  for (const name of named) expect(problems.some((problem) => problem.startsWith(name))).toBe(true);
  expect(problems).toHaveLength(named.length);
  expect(problems.join()).not.toContain('too-short-secret');
});

test.each(['pa/ss', 'pa#ss', 'pa?ss', '12#34', '12/34', 'pa%ss'])(
  '[OPS-05] a password in DATABASE_URL that must be percent-encoded is reported, and not quoted: %s',
  (password) => {
    const problems = problemsOf({
      ...enough,
      DATABASE_URL: `postgres://settee:${password}@localhost:5432/settee`,
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^DATABASE_URL .*percent-encoded.*%2F for \/, %23 for #/);
    expect(problems[0]).not.toContain(password);
  },
);

test('[OPS-05] a percent-encoded password is right', () => {
  const { databaseUrl } = readConfig({
    ...enough,
    DATABASE_URL: 'postgres://a:p%2Fs%23@localhost:5432/settee',
  });
  expect(databaseUrl).toBe('postgres://a:p%2Fs%23@localhost:5432/settee');
});

test('the sweep runs often enough to notice an empty desk in time', () => {
  expect(readConfig({ ...enough, SWEEP_SECONDS: '10' }).sweepSeconds).toBe(10);
  expect(problemsOf({ ...enough, SWEEP_SECONDS: '11' })).toHaveLength(1);
});

test('a secret may come from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settee-config-'));
  const path = join(folder, 'secret');
  writeFileSync(path, `${'f'.repeat(40)}\n`);
  const { DATABASE_URL } = enough;
  expect(readConfig({ DATABASE_URL, SECRET_FILE: path }).secret).toBe('f'.repeat(40));
  expect(problemsOf({ DATABASE_URL, SECRET_FILE: join(folder, 'none') })).toHaveLength(1);
});

test('the public URL is stored as an origin', () => {
  expect(readConfig({ ...enough, PUBLIC_URL: 'https://Chat.Example:443/' }).publicUrl).toBe(
    'https://chat.example',
  );
});

test('.env.example and the table of keys agree', () => {
  const file = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  expect(file, 'run: node server/src/cli.ts env > .env.example').toBe(exampleEnvironment());
  for (const { help } of Object.values(keys)) expect(help.length).toBeGreaterThan(5);
});

test('trusted proxies are given as addresses', () => {
  const trusted = readConfig({ ...enough, TRUST_PROXY: 'loopback, 10.0.0.0/8,2001:db8::1' }).trustProxy;
  expect(trusted).toEqual(['loopback', '10.0.0.0/8', '2001:db8::1']);
  for (const bad of ['1', 'true', 'proxy.example', '10.0.0.0/33', '10.0.0.1,']) {
    expect(problemsOf({ ...enough, TRUST_PROXY: bad }), bad).toHaveLength(1);
  }
});

test('notifications need a valid key and a contact', () => {
  const VAPID_PRIVATE_KEY = makeVapidKey();
  const VAPID_SUBJECT = 'mailto:push@settee.example';
  expect(readConfig({ ...enough, VAPID_PRIVATE_KEY, VAPID_SUBJECT }).vapid).toEqual({
    privateKey: VAPID_PRIVATE_KEY,
    subject: VAPID_SUBJECT,
  });
  expect(problemsOf({ ...enough, VAPID_PRIVATE_KEY })).toHaveLength(1);
  const https = 'https://settee.example/push';
  expect(readConfig({ ...enough, VAPID_PRIVATE_KEY, VAPID_SUBJECT: https }).vapid?.subject).toBe(https);
  for (const subject of [
    'mailto:',
    'mailto:nobody',
    'mailto://a@b.example',
    'push@settee.example',
    'http://a.example',
    'https://',
  ])
    expect([subject, ...problemsOf({ ...enough, VAPID_PRIVATE_KEY, VAPID_SUBJECT: subject })]).toEqual([
      subject,
      'VAPID_SUBJECT must be mailto: with an address, or an https URL',
    ]);
  // Too short, zero, and larger than the curve's order.
  for (const key of ['short', 'A'.repeat(43), Buffer.alloc(32, 255).toString('base64url')]) {
    expect(problemsOf({ ...enough, VAPID_PRIVATE_KEY: key, VAPID_SUBJECT })).toHaveLength(1);
  }
});

test('the derived public key is the one that browsers subscribe with', () => {
  // The test vector of RFC 8291, section 5: the application server's key pair.
  expect(vapidPublicKey('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw')).toBe(
    'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  );
});

test('traces are off without a URL, and their ratio is between 0 and 1', () => {
  expect(readConfig(enough)).not.toHaveProperty('traces');
  const url = 'http://collector:4318/v1/traces';
  expect(readConfig({ ...enough, TRACES_URL: url }).traces).toEqual({ url, share: 0.01 });
  expect(readConfig({ ...enough, TRACES_URL: url, TRACES_SHARE: '1' }).traces?.share).toBe(1);
  for (const share of ['1.1', '-1', 'all', '.', '1..2']) {
    expect(problemsOf({ ...enough, TRACES_SHARE: share })).toHaveLength(1);
  }
  expect(problemsOf({ ...enough, TRACES_URL: 'collector:4318' })).toHaveLength(1);
});

test('NATS may be a cluster', () => {
  const natsUrl = 'nats://settee:secret@one:4222, nats://two:4222';
  expect(readConfig({ ...enough, NATS_URL: natsUrl }).natsUrl).toBe(natsUrl);
  for (const wrong of ['one:4222', 'nats://one:4222,', 'nats://one:4222,http://two']) {
    expect(problemsOf({ ...enough, NATS_URL: wrong })).toHaveLength(1);
  }
});
