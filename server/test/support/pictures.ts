import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect } from 'vitest';
import { startJobs } from '../../src/jobs/jobs.ts';
import { systemClock } from '../../src/platform/adapters/system.ts';
import type { TestServer } from './harness.ts';
import type { Person } from './people.ts';

/** Real images, and the steps to send one. */

export type Colour = { r: number; g: number; b: number };
export const RED = { r: 200, g: 20, b: 20 };
export const BLUE = { r: 20, g: 20, b: 200 };
export const PNG = 'image/png';

export async function png(background: Colour = RED, width = 24, height = 16): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Which of the two images it is, by its first pixel. */
export async function colourOf(picture: Uint8Array): Promise<'red' | 'blue' | 'other'> {
  const [r = 0, , b = 0] = await sharp(picture).removeAlpha().raw().toBuffer();
  if (r > 150 && b < 80) return 'red';
  return b > 150 && r < 80 ? 'blue' : 'other';
}

export function begin(
  person: Person,
  conversationId: string,
  file: { mediaId?: string; type?: string; bytes: number; fileName?: string },
) {
  const { mediaId = randomUUID(), type = PNG, bytes, fileName = 'cat.png' } = file;
  return person.call('POST', `/conversations/${conversationId}/media`, { mediaId, type, bytes, fileName });
}

export async function put(url: string, body: Uint8Array, type = PNG, method = 'PUT'): Promise<number> {
  const response = await fetch(url, {
    method,
    ...(method === 'PUT' && { body: body as Uint8Array<ArrayBuffer>, headers: { 'content-type': type } }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Begins an upload and sends the bytes, without completing it. */
export async function stage(
  person: Person,
  conversationId: string,
  file: { image: Uint8Array; type?: string; fileName?: string; mediaId?: string },
): Promise<{ mediaId: string; uploadUrl: string }> {
  const { image, mediaId = randomUUID(), ...rest } = file;
  const { body } = await begin(person, conversationId, { mediaId, bytes: image.length, ...rest });
  expect(body).toMatchObject({ success: true, uploadUrl: expect.any(String) });
  expect(await put(body.uploadUrl, image, file.type)).toBe(200);
  return { mediaId, uploadUrl: body.uploadUrl };
}

export function finish(person: Person, conversationId: string, mediaId: string) {
  return person.call('POST', `/conversations/${conversationId}/media/${mediaId}/uploaded`);
}

/** Uploads an image until it can be sent. Jobs must be running. */
export async function upload(
  person: Person,
  conversationId: string,
  file: Partial<Parameters<typeof stage>[2]> = {},
): Promise<string> {
  const { mediaId } = await stage(person, conversationId, { image: await png(), ...file });
  // A busy machine may be slower than one call waits.
  await expect.poll(async () => (await finish(person, conversationId, mediaId)).body.state).toBe('ready');
  return mediaId;
}

export function sendPicture(person: Person, conversationId: string, mediaId: string, id = randomUUID()) {
  return person.call('POST', `/conversations/${conversationId}/media/${mediaId}/message`, { id });
}

export function read(person: Person, conversationId: string, mediaId: string) {
  return person.call('GET', `/conversations/${conversationId}/media/${mediaId}`);
}

/** The bytes of an image, as a page gets them. */
export async function readPicture(
  person: Person,
  conversationId: string,
  mediaId: string,
): Promise<{ bytes: Buffer; type: string | null }> {
  const { body } = await read(person, conversationId, mediaId);
  const response = await fetch(body.url);
  expect(response.status).toBe(200);
  return {
    bytes: Buffer.from(await response.arrayBuffer()),
    type: response.headers.get('content-type'),
  };
}

/** Runs the jobs of this server's database. */
export function workFor(server: TestServer) {
  const { config, media, log } = server.app;
  return startJobs({ config, media, push: undefined, clock: systemClock, log });
}

export async function mediaRow(server: TestServer, mediaId: string) {
  const { rows } = await server.app.db.pool.query('select * from media where id = $1', [mediaId]);
  return rows[0];
}
