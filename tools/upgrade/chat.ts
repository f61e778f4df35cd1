// What people do in a chat, by the calls that both releases have.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { query } from '../../e2e/proof/database.ts';
import type { Browser } from '../../e2e/proof/world.ts';

export const csrf = (): string => String(Date.now());
const TIMEOUT_MS = 20_000;

export type Said = { seq: number; id: string; sender: string; text: string; createdAt: number };

export async function send(person: Browser, conversation: string, text: string, after?: number) {
  const body = { id: randomUUID(), text, ...(after !== undefined && { after }) };
  await person.call(`/conversations/${conversation}/messages`, body);
}

/** The conversation as its pages show it. */
export async function readAll(person: Browser, conversation: string, from = 0): Promise<Said[]> {
  const all: Said[] = [];
  for (;;) {
    const path = `/conversations/${conversation}/messages?after=${all.at(-1)?.seq ?? from}`;
    const { messages } = (await person.call(path, undefined, 'GET')) as { messages: Said[] };
    all.push(
      ...messages.map(({ seq, id, sender, text, createdAt }) => ({ seq, id, sender, text, createdAt })),
    );
    if (messages.length === 0) return all;
  }
}

/** The same, from the table: 100,000 messages have 2,000 pages. */
export async function readTable(databaseUrl: string, conversation: string): Promise<Said[]> {
  const rows = await query(
    databaseUrl,
    `select seq, id::text, case when from_owner then 'owner' else 'visitor' end, text,
       trunc(extract(epoch from created_at) * 1000)::float8
     from messages where conversation_id = $1 order by seq`,
    [conversation],
  );
  return (rows as [number, string, string, string, number][]).map(([seq, id, sender, text, createdAt]) => ({
    seq,
    id,
    sender,
    text,
    createdAt,
  }));
}

/** Sends an image of this colour. Returns its id. */
export async function sendImage(person: Browser, conversation: string, background: string): Promise<string> {
  const bytes = await sharp({ create: { width: 24, height: 16, channels: 3, background } })
    .png()
    .toBuffer();
  const mediaId = randomUUID();
  const path = `/conversations/${conversation}/media`;
  const begun = { mediaId, type: 'image/png', bytes: bytes.length, fileName: 'cat.png' };
  const { uploadUrl } = await person.call(path, begun);
  const put = await fetch(String(uploadUrl), {
    method: 'PUT',
    body: new Uint8Array(bytes),
    headers: { 'content-type': 'image/png' },
  });
  if (!put.ok) throw new Error(`the upload answered ${put.status}`);
  const until = performance.now() + TIMEOUT_MS;
  while ((await person.call(`${path}/${mediaId}/uploaded`)).state !== 'ready') {
    if (performance.now() > until) throw new Error('the image was not processed');
    await sleep(100);
  }
  await person.call(`${path}/${mediaId}/message`, { id: randomUUID() });
  return mediaId;
}

/** The first pixel of an image, as the browser gets it. */
export async function pixelOf(person: Browser, conversation: string, mediaId: string): Promise<number[]> {
  const { url } = await person.call(`/conversations/${conversation}/media/${mediaId}`, undefined, 'GET');
  const response = await fetch(String(url));
  if (!response.ok) throw new Error(`the image answered ${response.status}`);
  const pixels = await sharp(Buffer.from(await response.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer();
  return [...pixels.subarray(0, 3)];
}
