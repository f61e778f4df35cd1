import type { StaffClaims } from '@settee/protocol/model/staff';
import { expect, test } from 'vitest';
import { signInDestination } from './signInDestination.ts';

const handler: StaffClaims = {
  staffId: '5f0c2f9e-6a52-4f3c-9a6e-0d2f6c1f8f11',
  name: 'Ana',
  role: 'handler',
  alias: 'mara-east',
  mustEnrol: false,
  enrolBy: null,
  adminClosed: false,
  language: null,
};
const admin: StaffClaims = { ...handler, role: 'admin', alias: null };

test('[A-02] an administrator who signs in reaches the page they asked for', () => {
  expect(signInDestination('?next=%2Fadmin%2Finvites%3Fstate%3DNEW', admin)).toEqual({
    goTo: '/admin/invites?state=NEW',
  });
  const searched = '/admin/invites?search=Lyon+reading*';
  expect(signInDestination(`?next=${encodeURIComponent(searched)}`, admin)).toEqual({ goTo: searched });
  expect(signInDestination('', admin)).toEqual({ show: 'console' });
});

test('[ACCOUNT-11] single sign-on returns to the page of the console where it began', () => {
  for (const staff of [handler, admin])
    expect(signInDestination('?next=%2Fhandler%2Fsecurity', staff)).toEqual({ goTo: '/handler/security' });
});

test('an external address is not followed', () => {
  for (const next of [
    '//evil.example',
    'https://evil.example',
    '/admin//evil',
    '/adminx',
    '/handler//evil',
    '/handlerx',
    'javascript:1',
  ]) {
    const arrival = signInDestination(`?next=${encodeURIComponent(next)}`, admin);
    expect('goTo' in arrival ? new URL(arrival.goTo, 'https://own.example').origin : 'none').toMatch(
      /^(?:none|https:\/\/own\.example)$/,
    );
  }
});

test('[A-04] a handler sees Access Denied only after asking for the admin area', () => {
  expect(signInDestination('?denied', handler)).toEqual({ show: 'accessDenied' });
  expect(signInDestination('?next=%2Fadmin', handler)).toEqual({ show: 'accessDenied' });
  expect(signInDestination('', handler)).toEqual({ show: 'console' });
  expect(signInDestination('?denied', admin)).toEqual({ show: 'console' });
});

test('[FACTOR-02] a person who must set up a second factor does it where they are, without a redirect', () => {
  const unready = { ...admin, mustEnrol: true };
  expect(signInDestination('', unready)).toEqual({ show: 'enrol' });
  expect(signInDestination('', { ...handler, mustEnrol: true })).toEqual({ show: 'enrol' });
  expect(signInDestination('?next=%2Fadmin%2Finvites', unready)).toEqual({ goTo: '/admin/invites' });
  expect(signInDestination('?next=%2F%2Fevil.example', unready)).toEqual({ show: 'enrol' });
});

test('[FACTOR-02] an administrator whose admin area is closed still gets the console', () => {
  expect(signInDestination('', { ...admin, adminClosed: true, enrolBy: 0 })).toEqual({ show: 'console' });
});
