import { expect, test } from 'vitest';
import { invitePath } from './inviteLink.ts';

const token = `aa${'x'.repeat(32)}`;

const host = 'chat.example';

test('[R-01] a pasted invite link of this host opens its chat, with or without text around the token', () => {
  for (const pasted of [
    `https://chat.example/i/${token}`,
    ` https://chat.example/i/${token}/?utm=x `,
    `http://chat.example/i/${token}#top`,
    `chat.example/i/${token}`,
    `/i/${token}`,
    token,
  ]) {
    expect(invitePath(pasted, host), pasted).toBe(`/i/${token}`);
  }
  expect(invitePath(`http://localhost:8080/i/${token}`, 'localhost:8080')).toBe(`/i/${token}`);
});

test('text that is no invite link of this host opens nothing', () => {
  for (const pasted of [
    '',
    'hello',
    'https://chat.example/handler',
    `https://chat.example/i/${token}x`,
    `https://chat.example/i/${token}/manifest.webmanifest`,
    `https://chat.example/x/i/${token}`,
    `https://evil.example/i/${token}`,
    `https://chat.example@evil.example/i/${token}`,
    `https://chat.example:444/i/${token}`,
    `//evil.example/i/${token}`,
    `javascript:alert(1)//i/${token}`,
    `ftp://chat.example/i/${token}`,
    `../i/${token}`,
  ]) {
    expect(invitePath(pasted, host), pasted).toBeUndefined();
  }
});
