import { expect, test } from 'vitest';
import { invitePath } from './inviteLink.ts';

const token = `aa${'x'.repeat(32)}`;

test('[R-01] a pasted invite link opens its chat, with or without what surrounds the token', () => {
  expect(invitePath(`https://chat.example/i/${token}`)).toBe(`/i/${token}`);
  expect(invitePath(` https://chat.example/i/${token}/?utm=x `)).toBe(`/i/${token}`);
  expect(invitePath(token)).toBe(`/i/${token}`);
});

test('what is no invite link opens nothing', () => {
  expect(invitePath('')).toBeUndefined();
  expect(invitePath('https://chat.example/handler')).toBeUndefined();
  expect(invitePath(`https://chat.example/i/${token}x`)).toBeUndefined();
});
