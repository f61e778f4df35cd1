import { randomBytes, randomUUID } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { signVisitor, verifyIdToken } from '../src/auth/idToken.ts';
import type { Visitor } from '../src/caller.ts';
import { type Config, readConfig } from '../src/config/config.ts';
import { keyFor } from '../src/config/keys.ts';

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
