import { expect, test } from 'vitest';
import { StanzaReader } from './stanzas.ts';

const HEADER = "<?xml version='1.0'?><stream:stream xmlns='jabber:client' from=\"localhost\">";
const STANZAS = [
  '<stream:features><mechanisms><mechanism>PLAIN</mechanism></mechanisms></stream:features>',
  "<presence from='a@localhost'/>",
  `<message id='m1/>' note="it's/>true"><body>x &lt; y</body><stanza-id id='7'/></message>`,
  '<success></success>',
];
/** Servers send spaces to keep a connection open. */
const STREAM = `${HEADER}${STANZAS.join(' \n')} </stream:stream>`;

test('every stanza of an XMPP stream is read once, wherever the parts of the stream end', () => {
  for (let size = 1; size <= STREAM.length; size += 1) {
    const reader = new StanzaReader();
    const found: string[] = [];
    for (let at = 0; at < STREAM.length; at += size) found.push(...reader.read(STREAM.slice(at, at + size)));
    expect(found, `parts of ${size}`).toEqual(STANZAS);
  }
});
