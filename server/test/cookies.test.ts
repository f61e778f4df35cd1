import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { cookieName, cookieOptions, cookieValues } from '../src/auth/cookies.ts';
import { cellPage } from '../src/config/config.ts';

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
