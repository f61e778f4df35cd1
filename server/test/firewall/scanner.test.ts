import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { scanner } from './scanner.ts';

const id = '3f2b1c9a-7d54-4e0b-9a61-0c5d8e7f1a2b';
const scan = scanner({ name: 'Zebedee Quill', id });
const idBytes = Buffer.from(id.replaceAll('-', ''), 'hex');

const hidden: Record<string, string | Uint8Array> = {
  'in a frame': JSON.stringify({ type: 'conversation', handler: 'Zebedee Quill' }),
  'in capitals': 'BY ZEBEDEE QUILL',
  'in an address': '/x?name=Zebedee%20Quill',
  backwards: 'lliuQ eedebeZ',
  'as hex': Buffer.from('..Zebedee Quill').toString('hex'),
  ...Object.fromEntries(
    ['', 'a', 'ab', 'abc'].flatMap((before) => [
      [`as base64 behind ${before.length}`, Buffer.from(`${before}Zebedee Quill!`).toString('base64')],
      [`as base64url behind ${before.length}`, Buffer.from(`${before}Zebedee Quill?`).toString('base64url')],
      [
        `an id's bytes as base64 behind ${before.length}`,
        Buffer.concat([Buffer.from(before), idBytes]).toString('base64'),
      ],
    ]),
  ),
  'an id': id.toUpperCase(),
  'an id without dashes': id.replaceAll('-', ''),
  'an id as bytes': Buffer.concat([Buffer.from([0xff]), idBytes, Buffer.from([0xd8])]),
  'an id as bytes, backwards': Buffer.from(idBytes.toReversed()),
  'an id in the middle of a token': Buffer.from(JSON.stringify({ sub: id })).toString('base64url'),
};

test.each(Object.entries(hidden))('[PRIVACY-15] a text is found %s', (where, content) => {
  expect(scan(where, content)).not.toEqual([]);
});

test('[PRIVACY-15] nothing is found where there is nothing', () => {
  for (const innocent of ['Zebedee', 'a quill', id.slice(0, 20), gzipSync('nothing')]) {
    expect(scan('innocent', innocent)).toEqual([]);
  }
});
