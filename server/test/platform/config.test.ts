import { expect, test } from 'vitest';
import {
  BadConfig,
  misspelledSettings,
  readBucketConfig,
  readConfig,
  readDatabaseConfig,
} from '../../src/platform/config/config.ts';
import { makeVapidKey, vapidPublicKey } from '../../src/platform/config/vapidKey.ts';

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

test('[MAIL-12] a mail server needs TLS unless it is on this machine or the setting says so', () => {
  const MAIL_FROM = 'chat@example.com';
  const mail = (env: Record<string, string>) => readConfig({ ...enough, MAIL_FROM, ...env }).mail;
  expect(mail({})).toBeUndefined();
  expect(mail({ SMTP_URL: 'smtp://a%40b:p%2Fw@mail.example.com' })).toEqual({
    host: 'mail.example.com',
    port: 587,
    tls: 'starttls',
    auth: { user: 'a@b', pass: 'p/w' },
    from: MAIL_FROM,
  });
  expect(mail({ SMTP_URL: 'smtps://mail.example.com' })).toMatchObject({ port: 465, tls: 'implicit' });
  expect(mail({ SMTP_URL: 'smtps://localhost' })).toMatchObject({ port: 465, tls: 'implicit' });
  expect(mail({ SMTP_URL: 'smtp://localhost:25' })).toMatchObject({ port: 25, tls: 'off' });
  expect(mail({ SMTP_URL: 'smtp://[::1]', SMTP_TLS: 'required' })).toMatchObject({
    host: '::1',
    tls: 'starttls',
  });
  expect(mail({ SMTP_URL: 'smtp://mail.example.com', SMTP_TLS: 'off' })).toMatchObject({ tls: 'off' });
  const problems = (env: Record<string, string>) => problemsOf({ ...enough, MAIL_FROM, ...env });
  expect(problems({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'Mara <chat@example.com>' })).toEqual([
    'MAIL_FROM must be one address, such as chat@example.com',
  ]);
  expect(problems({ SMTP_URL: 'http://mail.example.com' })).toHaveLength(1);
  expect(problems({ SMTP_URL: 'smtps://mail.example.com', SMTP_TLS: 'off' })).toHaveLength(1);
  expect(problems({ SMTP_URL: 'smtp://user@mail.example.com' })).toEqual([
    'SMTP_URL has a user without a password',
  ]);
  for (const user of ['u:p/w', 'u:p%w', '100%:pw'])
    expect(problems({ SMTP_URL: `smtp://${user}@mail.example.com` })).toEqual([
      expect.stringContaining('percent-encoded'),
    ]);
  const tls = { DATABASE_URL: 'postgres://db/settee?sslmode=verify-full', REQUIRE_TLS: 'true' };
  expect(problems({ ...tls, SMTP_URL: 'smtp://localhost' })).toEqual([
    'REQUIRE_TLS is true, so SMTP_TLS must be required',
  ]);
  for (const url of ['smtp://mail.example.com', 'smtps://localhost'])
    expect(problems({ ...tls, SMTP_URL: url })).toEqual([]);
});

test('[ACCOUNT-11] single sign-on needs an https issuer and a client', () => {
  const OIDC = { OIDC_CLIENT_ID: 'settee', OIDC_CLIENT_SECRET: 'a secret' };
  expect(readConfig(enough).singleSignOn).toBeUndefined();
  expect(
    readConfig({ ...enough, ...OIDC, OIDC_ISSUER: 'https://login.example.org/realm' }).singleSignOn,
  ).toEqual({
    issuer: 'https://login.example.org/realm',
    clientId: 'settee',
    clientSecret: 'a secret',
    name: 'single sign-on',
  });
  expect(problemsOf({ ...enough, ...OIDC, OIDC_ISSUER: 'http://login.example.org' })).toEqual([
    'OIDC_ISSUER must be an https URL',
  ]);
  expect(problemsOf({ ...enough, ...OIDC, OIDC_ISSUER: 'login.example.org' })).toEqual([
    'OIDC_ISSUER must be a URL that starts with http:// or https://',
  ]);
  expect(problemsOf({ ...enough, OIDC_ISSUER: 'http://127.0.0.1:9000' })).toEqual([
    'OIDC_CLIENT_ID is missing; OIDC_ISSUER needs it',
    'OIDC_CLIENT_SECRET is missing; OIDC_ISSUER needs it',
  ]);
});

test('the migration needs no secret but those of the database, the setup of the bucket no other either', () => {
  const { DATABASE_URL } = enough;
  const owner = 'postgres://owner@localhost/settee';
  expect(readDatabaseConfig({ DATABASE_URL, DATABASE_OWNER_URL: owner })).toEqual({
    databaseUrl: DATABASE_URL,
    databaseOwnerUrl: owner,
  });
  expect(() => readDatabaseConfig({})).toThrow(/DATABASE_URL is missing/);
  expect(() => readDatabaseConfig({ DATABASE_URL, REQUIRE_TLS: 'true' })).toThrow(/sslmode=verify-full/);
  const bucket = {
    S3_ENDPOINT: 'http://localhost:8333',
    S3_REGION: 'us-east-1',
    S3_BUCKET: 'media',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'key',
  };
  expect(readBucketConfig({ ...bucket, PUBLIC_URL: 'https://chat.example' })).toMatchObject({
    publicUrl: 'https://chat.example',
    s3: { bucket: 'media', secretAccessKey: 'key' },
  });
  expect(() => readBucketConfig({ ...bucket, REQUIRE_TLS: 'true' })).toThrow(/S3_ENDPOINT must start with/);
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
  'a password in DATABASE_URL that must be percent-encoded is reported, and not quoted: %s',
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

test('a percent-encoded password is right', () => {
  const { databaseUrl } = readConfig({
    ...enough,
    DATABASE_URL: 'postgres://a:p%2Fs%23@localhost:5432/settee',
  });
  expect(databaseUrl).toBe('postgres://a:p%2Fs%23@localhost:5432/settee');
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

test('several gateways need NATS, and a private port for each', () => {
  expect(readConfig(enough).gateways).toBe(1);
  expect(problemsOf({ ...enough, GATEWAYS: '2' })).toEqual([expect.stringMatching(/NATS_URL is needed/)]);
  expect(readConfig({ ...enough, GATEWAYS: '2', NATS_URL: 'nats://localhost' }).gateways).toBe(2);
  expect(problemsOf({ ...enough, GATEWAYS: '0' })).toEqual(['GATEWAYS must be a whole number from 1 to 64']);
  const three = { ...enough, GATEWAYS: '3', NATS_URL: 'nats://localhost', PORT: '8080' };
  for (const port of ['8078', '8080', '65534'])
    expect(problemsOf({ ...three, PRIVATE_PORT: port })).toEqual([expect.stringMatching(/PRIVATE_PORT/)]);
  for (const port of ['8077', '8081', '65533'])
    expect(readConfig({ ...three, PRIVATE_PORT: port }).gateways).toBe(3);
});

test('[PRIV-09] with REQUIRE_TLS, every address without TLS is reported', () => {
  const tls = {
    ...enough,
    REQUIRE_TLS: 'true',
    DATABASE_URL: 'postgres://a@db/settee?sslmode=verify-full',
    NATS_URL: 'tls://one:4222,tls://two:4222',
    S3_ENDPOINT: 'https://s3',
    S3_REGION: 'r',
    S3_BUCKET: 'b',
    S3_ACCESS_KEY_ID: 'k',
    S3_SECRET_ACCESS_KEY: 's',
  };
  expect(readConfig(tls).natsUrl).toBe(tls.NATS_URL);
  for (const [name, value] of [
    ['DATABASE_URL', 'postgres://a@db/settee'],
    ['DATABASE_URL', 'postgres://a@db/settee?sslmode=require'],
    ['DATABASE_OWNER_URL', 'postgres://a@db/settee?sslmode=no-verify'],
    ['NATS_URL', 'nats://one:4222'],
    ['NATS_URL', 'tls://one:4222,nats://two:4222'],
    ['S3_ENDPOINT', 'http://s3'],
  ] as const)
    expect(problemsOf({ ...tls, [name]: value }), value).toEqual([expect.stringContaining(name)]);
});

test('a name that looks like a setting is recognised, and no other', () => {
  const names = {
    SMPT_URL: 'SMTP_URL',
    OIDC_CLIENTID: 'OIDC_CLIENT_ID',
    TRUSTED_PROXY: 'TRUST_PROXY',
    SECRETS: 'SECRET',
    CEL: 'CELL',
    PROT: 'PORT',
    log_level: 'LOG_LEVEL',
    SECRET_FLIE: 'SECRET_FILE',
    // Only secrets can come from a file.
    MAIL_FROM_FILE: 'MAIL_FROM',
  };
  const others = ['PATH', 'HOME', 'SHELL', 'HOSTNAME', 'NODE_EXTRA_CA_CERTS', 'SETTEE_DOMAIN', 'POSTGRES_DB'];
  const env = Object.keys({ ...enough, ...names, SECRET_FILE: '', CELL: '' }).concat(others);
  expect(misspelledSettings(Object.fromEntries(env.map((name) => [name, 'x'])))).toEqual(
    Object.entries(names).map(([setting, meant]) => ({ setting, meant })),
  );
});
