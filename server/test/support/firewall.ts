import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { createCallers, DESK, OTHER_DESK, type StaffCallers } from '../access/stage.ts';
import type { TestServer } from './harness.ts';

/** Texts that only staff know, each for one place. */
export const WORDS = {
  note: 'zq-marmalade-note',
  handover: 'zq-saffron-handover',
  blockReason: 'zq-gooseberry-reason',
  unblockReason: 'zq-quince-reason',
  label: 'zq-tamarind-label',
  reply: 'zq-juniper-reply',
  fileName: 'zq-elderflower-file',
  exif: 'zq-damson-artist',
};

const NAMES: Partial<Record<keyof StaffCallers, { name: string; email: string }>> = {
  handler: { name: 'Zebedee Quillfeather', email: 'zebedee.q@hidden-house.example' },
  otherHandler: { name: 'Ottoline Vanterpool', email: 'ottoline.v@hidden-house.example' },
  admin: { name: 'Peregrine Ashgrove', email: 'peregrine.a@hidden-house.example' },
};

/** Staff with names, and everything that visitors must not learn about them. */
export async function hiddenStaff(server: TestServer): Promise<{ staff: StaffCallers; canaries: Canaries }> {
  const { pool } = server.app.db;
  const staff = await createCallers(server);
  const canaries: Canaries = { ...WORDS, alias: DESK, otherAlias: OTHER_DESK };
  for (const [caller, { name, email }] of Object.entries(NAMES)) {
    const { sid, sub } = claimsOf(staff[caller as keyof StaffCallers].browser.token);
    await pool.query('update staff set name = $2, email = $3 where id = $1', [sub, name, email]);
    Object.assign(canaries, {
      [`${caller}'s name`]: name,
      [`${caller}'s e-mail`]: email,
      [`${caller}'s id`]: sub,
      [`${caller}'s session`]: sid,
    });
  }
  await staff.handler.call('PUT', `/replies/${randomUUID()}`, {
    shortcut: 'juniper',
    text: WORDS.reply,
    shared: true,
  });
  return { staff, canaries };
}

function claimsOf(token: string): { sid: string; sub: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

/** Everything that a person received, and where. */
export class Recorder {
  readonly seen: { where: string; content: string | Uint8Array }[] = [];
  /** The types of the received frames. */
  readonly frames = new Set<string>();

  saw(where: string, content: string | Uint8Array): void {
    this.seen.push({ where, content });
  }

  /** The same server, with a recording of every response: status, headers, cookies and body. */
  listening(server: TestServer): TestServer {
    return {
      ...server,
      request: async (method, path, options) => {
        const reply = await server.request(method, path, options);
        const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
        this.saw(`${method} ${path} ${reply.status}`, body ?? '');
        this.saw(`headers of ${method} ${path} ${reply.status}`, headersOf(reply.headers));
        return reply;
      },
    };
  }

  /** Reads and records the bytes and headers of an address. */
  async fetched(where: string, url: string): Promise<Buffer> {
    const response = await fetch(url);
    const bytes = Buffer.from(await response.arrayBuffer());
    this.saw(where, bytes);
    this.saw(`headers of ${where}`, headersOf(response.headers));
    return bytes;
  }

  /** A socket that records everything, from the upgrade response to the close reason. */
  async tap(server: TestServer, token: string, version: number, more: object = {}): Promise<Tap> {
    const url = `${server.url.replace('http', 'ws')}/live`;
    const socket = new WebSocket(url, { origin: server.app.config.publicUrl });
    const received: { type: string }[] = [];
    socket.on('upgrade', (response) =>
      this.saw('headers of the upgrade', JSON.stringify(response.rawHeaders)),
    );
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { type: string };
      received.push(frame);
      this.frames.add(frame.type);
      this.saw(`frame ${frame.type}`, data);
    });
    socket.on('close', (code, reason) => this.saw(`close ${code}`, reason));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const send = (frame: object): void => socket.send(JSON.stringify(frame));
    send({ type: 'hello', version, token, ...more });
    return { send, received, close: () => socket.close() };
  }
}

export type Tap = { send(frame: object): void; received: { type: string }[]; close(): void };

function headersOf(headers: Headers): string {
  return [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** Names of secrets, and the words that must not leak. */
export type Canaries = Record<string, string>;

export type Leak = { where: string; what: string; as: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds words in any form: plain, in any case, URL-encoded, as hex or base64, reversed. */
export function scanner(canaries: Canaries) {
  const looks = Object.entries(canaries).flatMap(([what, word]) =>
    looksOf(word).map((look) => ({ what, ...look })),
  );
  return (where: string, content: string | Uint8Array): Leak[] => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
    // Decoded byte by byte, because the content may not be text.
    const exact = bytes.toString('latin1');
    const folded = exact.toLowerCase();
    return looks
      .filter(({ needle, folds }) => (folds ? folded : exact).includes(needle))
      .map(({ what, as }) => ({ where, what, as }));
  };
}

type Look = { as: string; needle: string; folds: boolean };

function looksOf(word: string): Look[] {
  const text = Buffer.from(word);
  const looks: Look[] = [
    { as: 'plain', needle: word.toLowerCase(), folds: true },
    { as: 'backwards', needle: Array.from(word).reverse().join('').toLowerCase(), folds: true },
    { as: 'in an address', needle: encodeURIComponent(word).toLowerCase(), folds: true },
    { as: 'in JSON', needle: JSON.stringify(word).slice(1, -1).toLowerCase(), folds: true },
    ...encodings('text', text),
    ...encodings('upper text', Buffer.from(word.toUpperCase())),
    ...encodings('lower text', Buffer.from(word.toLowerCase())),
  ];
  if (!UUID.test(word)) return looks;
  const id = Buffer.from(word.replaceAll('-', ''), 'hex');
  // Microsoft's byte order: the first three groups are reversed.
  const turned = Buffer.concat([
    id.subarray(0, 4).toReversed(),
    id.subarray(4, 6).toReversed(),
    id.subarray(6, 8).toReversed(),
    id.subarray(8),
  ]);
  for (const [name, bytes] of [
    ['id', id],
    ['id backwards', Buffer.from(id.toReversed())],
    ['id turned', turned],
  ] as const) {
    looks.push(
      { as: `${name}, raw`, needle: bytes.toString('latin1'), folds: false },
      ...encodings(name, bytes),
    );
  }
  return looks;
}

function encodings(name: string, bytes: Buffer): Look[] {
  const base64 = [0, 1, 2].flatMap((shift) => {
    const inside = insideBase64(bytes, shift);
    const forAddresses = inside.replaceAll('+', '-').replaceAll('/', '_');
    return [inside, forAddresses].map((needle) => ({ as: `${name}, base64`, needle, folds: false }));
  });
  return [{ as: `${name}, hex`, needle: bytes.toString('hex'), folds: true }, ...base64];
}

/** The base64 characters that these bytes alone determine, after `shift` other bytes. */
function insideBase64(bytes: Buffer, shift: number): string {
  const letters = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replaceAll('=', '');
  const first = Math.ceil((shift * 8) / 6);
  const last = Math.floor(((shift + bytes.length) * 8) / 6);
  return letters.slice(first, last);
}

export async function received(tap: Tap, type: string): Promise<void> {
  await expect.poll(() => tap.received.some((frame) => frame.type === type)).toBe(true);
}
