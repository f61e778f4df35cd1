import { randomBytes, randomUUID } from 'node:crypto';
import { verify as verifyHash } from '@node-rs/argon2';
import type { FastifyRequest } from 'fastify';
import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, test, vi } from 'vitest';
import { cookieName, cookieOptions, cookieValues } from '../../src/platform/auth/cookies.ts';
import { signVisitor, verifyIdToken } from '../../src/platform/auth/idToken.ts';
import { type Config, cellPage, readConfig } from '../../src/platform/config/config.ts';
import { keyFor } from '../../src/platform/config/keys.ts';
import type { Visitor } from '../../src/platform/ports/caller.ts';
import { hashPassword, passwordMatches } from '../../src/staff/passwords.ts';

test('[AUTH-13] passwords are stored as argon2id with 19 MiB and two passes', async () => {
  const stored = await hashPassword('correct horse battery');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwordMatches(stored, 'correct horse battery')).toBe(true);
  expect(await passwordMatches(stored, 'correct horse')).toBe(false);
  expect(await passwordMatches(undefined, 'correct horse battery')).toBe(false);
  expect(await passwordMatches('not a hash', 'correct horse battery')).toBe(false);
});

test('[AUTH-01] an unknown account costs the same verification as a known one', async () => {
  const verify = vi.fn(verifyHash);
  await passwordMatches(await hashPassword('correct horse battery'), 'wrong', verify);
  await passwordMatches(undefined, 'wrong', verify);
  const costs = verify.mock.calls.map(([stored]) => String(stored).split('$').slice(0, 4));
  expect(costs).toEqual([
    ['', 'argon2id', 'v=19', 'm=19456,t=2,p=1'],
    ['', 'argon2id', 'v=19', 'm=19456,t=2,p=1'],
  ]);
});

test('browsers accept the cookies of a plain http address; those of https are bound to the host', () => {
  const lan = { publicUrl: 'http://settee.lan:8080', cell: 'a0' };
  expect(cookieName(lan, 'visitor')).toBe('settee-visitor');
  expect(cookieOptions(lan)).toMatchObject({ secure: false, sameSite: 'strict', path: '/' });
  const safe = { publicUrl: 'https://chat.example.org', cell: 'a0' };
  expect(cookieName(safe, 'staff')).toBe('__Host-settee-staff');
  expect(cookieOptions(safe)).toMatchObject({ secure: true });
});

test('cells behind one host have separate cookies, and read those of others after their own', () => {
  const [a0, b7] = ['a0', 'b7'].map((cell) => ({ publicUrl: 'https://chat.example.org', cell }));
  if (a0 === undefined || b7 === undefined) throw new Error('two cells');
  expect(cookieName(b7, 'visitor')).toBe('__Host-settee-visitor-b7');
  const cookies = {
    '__Host-settee-visitor': 'of a0',
    '__Host-settee-visitor-c3': 'of c3',
    '__Host-settee-visitor-b7': 'of b7',
    '__Host-settee-visitors': 'of nobody',
    'settee-visitor': 'not bound to the host',
    '__Host-settee-staff': 'of staff',
  };
  const request = { cookies } as unknown as FastifyRequest;
  expect(cookieValues(b7, request, 'visitor')).toEqual(['of b7', 'of a0', 'of c3']);
  expect(cookieValues(a0, request, 'visitor')).toEqual(['of a0', 'of c3', 'of b7']);
});

test('links for staff name the cell, except in an installation that is alone', () => {
  const publicUrl = 'https://chat.example.org';
  expect(cellPage({ publicUrl, cell: 'a0' }, '/handler')).toBe(`${publicUrl}/handler`);
  expect(cellPage({ publicUrl, cell: 'b7' }, '/handler')).toBe(`${publicUrl}/handler?cell=b7`);
});

const config = readConfig({ DATABASE_URL: 'postgres://localhost/none', SECRET: 's'.repeat(32) });
const HOUR = 3_600_000;

function at(now: number, changed: Partial<Config> = {}) {
  return { config: { ...config, ...changed }, clock: { now: () => now, after: () => () => undefined } };
}

function someone(): Visitor {
  return { kind: 'visitor', visitorId: randomUUID(), credential: randomBytes(32) };
}

test('[AUTH-12] a token identifies a person for an hour', async () => {
  const start = 1_800_000_000_000;
  const visitor = someone();
  const { idToken, expiresAt } = await signVisitor(at(start), visitor);
  expect(expiresAt).toBe(start + HOUR);
  const claims = await verifyIdToken(at(start + HOUR - 1_000), idToken);
  expect(claims).toMatchObject({ sub: visitor.visitorId, role: 'visitor' });
  await expect(verifyIdToken(at(start + HOUR + 1_000), idToken)).rejects.toThrow('User not authenticated');
});

test('[AUTH-12] a token from another issuer, of another kind or changed is refused', async () => {
  const now = 1_800_000_000_000;
  const { visitorId, credential } = someone();
  const claims = { role: 'visitor', cred: credential.toString('base64url') };
  const make = () =>
    new SignJWT(claims)
      .setSubject(visitorId)
      .setIssuer(config.publicUrl)
      .setAudience('settee')
      .setIssuedAt(now / 1_000)
      .setExpirationTime(now / 1_000 + 60);
  const key = keyFor(config, 'id token');
  const good = await make().setProtectedHeader({ alg: 'HS256' }).sign(key);
  await expect(verifyIdToken(at(now), good)).resolves.toBeDefined();

  const none = new UnsecuredJWT(claims).setSubject(visitorId).setIssuer(config.publicUrl);
  const [head = '', body = '', signature = ''] = good.split('.');
  const changed = Buffer.from(body, 'base64url').toString().replace('visitor', 'admin');
  const bad = [
    '',
    'x.y.z',
    none.setAudience('settee').setExpirationTime('1h').encode(),
    await make().setProtectedHeader({ alg: 'HS512' }).sign(key),
    await make().setProtectedHeader({ alg: 'HS256' }).sign(keyFor(config, 'visitor cookie')),
    await make().setProtectedHeader({ alg: 'HS256' }).setAudience('other').sign(key),
    await make().setProtectedHeader({ alg: 'HS256' }).setIssuer('https://elsewhere.example').sign(key),
    await make().setProtectedHeader({ alg: 'HS256' }).setSubject('not a uuid').sign(key),
    `${head}.${Buffer.from(changed).toString('base64url')}.${signature}`,
  ];
  for (const token of bad) {
    await expect(verifyIdToken(at(now), token), token).rejects.toThrow('User not authenticated');
  }
  await expect(verifyIdToken(at(now, { secret: 't'.repeat(32) }), good)).rejects.toThrow();
});
