import { createPublicKey, verify } from 'node:crypto';

const DAY_SECONDS = 24 * 3_600;

/** Checks the sender (RFC 8292). Returns the problem, or undefined. */
export function wrongVapid(
  header: string | undefined,
  expected: { audience: string; publicKey: string | undefined },
): string | undefined {
  const parts = /^vapid t=([^.,\s]+)\.([^.,\s]+)\.([^.,\s]+), k=([A-Za-z0-9_-]+)$/.exec(header ?? '');
  if (parts === null) return 'no VAPID authorization';
  const [, head = '', body = '', signature = '', publicKey = ''] = parts;
  if (expected.publicKey !== undefined && publicKey !== expected.publicKey) return 'another VAPID key';
  const point = Buffer.from(publicKey, 'base64url');
  if (point.length !== 65 || point[0] !== 4) return 'k is no P-256 point';
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const signed = Buffer.from(`${head}.${body}`);
  const genuine = verify(
    'sha256',
    signed,
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!genuine) return 'the signature is wrong';
  const { alg } = decode(head);
  const { aud, exp, sub } = decode(body);
  if (alg !== 'ES256') return 'not ES256';
  if (aud !== expected.audience) return `aud is ${String(aud)}`;
  const left = Number(exp) - Date.now() / 1_000;
  if (!(left > 0 && left <= DAY_SECONDS)) return `exp is ${left} s away`;
  if (typeof sub !== 'string' || !/^(?:mailto:|https:)/.test(sub)) return 'no sub';
  return undefined;
}

function decode(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;
}
