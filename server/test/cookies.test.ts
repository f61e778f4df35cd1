import { expect, test } from 'vitest';
import { cookieName, cookieOptions } from '../src/auth/cookies.ts';

test('[OPS-08] browsers accept the cookies of a plain http address; those of https are bound to the host', () => {
  const lan = { publicUrl: 'http://settee.lan:8080' };
  expect(cookieName(lan, 'visitor')).toBe('settee-visitor');
  expect(cookieOptions(lan)).toMatchObject({ secure: false, sameSite: 'strict', path: '/' });
  const safe = { publicUrl: 'https://chat.example.org' };
  expect(cookieName(safe, 'staff')).toBe('__Host-settee-staff');
  expect(cookieOptions(safe)).toMatchObject({ secure: true });
});
