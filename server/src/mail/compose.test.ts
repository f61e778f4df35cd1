import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeMail, passwordLinkMail, replyMail, waitingMail } from './compose.ts';
import { unsubscribePage } from './unsubscribePage.ts';

const LINK = 'https://chat.example.org/chat#c';
const tokens = readFileSync(join(import.meta.dirname, '../../../web/src/design/tokens.css'), 'utf8');

test.each([
  [
    'reply',
    replyMail('ar', { name: 'Mara <b>', chatUrl: LINK, unsubscribeUrl: 'https://chat.example.org/off' }).html,
  ],
  ['code', codeMail('de', 'Mara', '123456').html],
  ['password link', passwordLinkMail('en', 'Mara', LINK).html],
  ['waiting', waitingMail('en', 'Mara', LINK).html],
  ['unsubscribe page', unsubscribePage('en', 'ask')],
])('the %s has the colours of the pages, also in the dark, and no markup of others', (_, html) => {
  expect(html).toContain('prefers-color-scheme:dark');
  // An address in a text is no colour.
  const colours = html.match(/(?<=[:"])#[0-9a-f]{3,6}\b/g) ?? [];
  expect(colours).toContain('#7a2a5a');
  const known = (colour: string) =>
    tokens.includes(colour) || (colour === '#fff' && tokens.includes('#ffffff'));
  expect(colours.filter((colour) => !known(colour))).toEqual([]);
  expect(html).not.toContain('<b>');
});
