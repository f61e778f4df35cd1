import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import { AwsClient } from 'aws4fetch';
import type { Sharp } from 'sharp';
import sharp from 'sharp';
import type { Handler } from './accounts.ts';
import { conversationOf, inDatabase } from './database.ts';

/** A file on the user's machine, in the form that Playwright puts into a file field. */
export type PickedFile = { name: string; mimeType: string; buffer: Buffer };

/** A photograph with camera metadata: location and owner. */
export async function photograph(
  name: string,
  { owner = 'Ana Kovač', width = 640, height = 480 } = {},
): Promise<PickedFile> {
  const buffer = await noise(width, height)
    .withExif({
      IFD0: { Artist: owner, Copyright: owner, ImageDescription: name },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '45/1 45/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '4/1 50/1 0/1',
      },
    })
    .jpeg()
    .toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
}

function noise(width: number, height: number): Sharp {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });
}

/** The images in a thread, of one side or of both. */
export function images(page: Page, side?: 'in' | 'out'): Locator {
  return page
    .getByRole('log')
    .locator(
      `[data-side${side ? `=${side}` : ''}][data-seq] button[data-image], [data-side${side ? `=${side}` : ''}][data-upload]`,
    );
}

export async function pick(page: Page, ...files: PickedFile[]): Promise<void> {
  await choose(page, () => page.getByRole('button', { name: 'Send an image' }).click(), ...files);
}

/** Answers the file dialog that `ask` opens. The listener must be active before the dialog opens. */
export async function choose(page: Page, ask: () => Promise<unknown>, ...files: PickedFile[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  // Playwright enables the file chooser interception in parallel with the click. This delay lets it take effect first.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 50)));
  await ask();
  await (await choosing).setFiles(files);
}

/** Pastes the file into the message field. */
export async function paste(page: Page, file: PickedFile): Promise<void> {
  await page.getByRole('textbox', { name: /message/i }).focus();
  await page.evaluate(fireWithFile, { ...plain(file), type: 'paste' });
}

/** Drops the file onto the thread. */
export async function drop(page: Page, file: PickedFile): Promise<void> {
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.evaluate(fireWithFile, { ...plain(file), type });
}

function plain({ name, mimeType, buffer }: PickedFile) {
  return { name, mimeType, base64: buffer.toString('base64') };
}

/** Chromium does not let a script put a named file on the real clipboard. The page sees the same event. */
async function fireWithFile(file: {
  name: string;
  mimeType: string;
  base64: string;
  type: string;
}): Promise<void> {
  const bytes = Uint8Array.from(atob(file.base64), (char) => char.charCodeAt(0));
  const carried = new DataTransfer();
  carried.items.add(new File([bytes], file.name, { type: file.mimeType }));
  const target =
    file.type === 'paste' ? document.activeElement : document.querySelector<HTMLElement>('[role="log"]');
  const common = { bubbles: true, cancelable: true };
  target?.dispatchEvent(
    file.type === 'paste'
      ? new ClipboardEvent('paste', { ...common, clipboardData: carried })
      : new DragEvent(file.type, { ...common, dataTransfer: carried }),
  );
}

/** Expects this many images, loaded from the server's addresses and drawn. */
export async function expectImages(
  page: Page,
  side: 'in' | 'out',
  count: number,
  timeout?: number,
): Promise<void> {
  const pictures = page.getByRole('log').locator(`[data-side=${side}][data-seq] button[data-image]`);
  await expect(pictures).toHaveCount(count, timeout === undefined ? {} : { timeout });
  for (const picture of await pictures.all()) {
    // The sent image replaces the one that was uploading.
    await expect(() => picture.scrollIntoViewIfNeeded({ timeout: 5_000 })).toPass();
    const isDrawn = () =>
      picture.evaluate((button) =>
        [...button.querySelectorAll('img')].some(
          ({ naturalWidth, src }) => naturalWidth > 0 && !src.startsWith('data:'),
        ),
      );
    await expect.poll(isDrawn).toBe(true);
  }
  await expect(page.locator(`[data-side=${side}][data-upload]`)).toHaveCount(0);
}

export type StoredImage = {
  conversationId: string;
  path: string;
  stagedPath: string;
  state: string;
  fileName: string;
  fromOwner: boolean;
  /** How many messages contain it. */
  messages: number;
};

/** Every image in the database, sent or not. */
export async function storedImages(databaseUrl?: string): Promise<StoredImage[]> {
  const { rows } = await inDatabase<StoredImage>(
    `select f.conversation_id as "conversationId", f.path, f.staged_path as "stagedPath", f.state,
       f.file_name as "fileName", f.from_owner as "fromOwner",
       (select count(*)::int from messages m where m.media_id = f.id) as messages
     from media f order by f.created_at`,
    [],
    databaseUrl,
  );
  return rows;
}

export async function storedBytes(path: string): Promise<Buffer> {
  const response = await s3().fetch(`${process.env.S3_ENDPOINT}/${process.env.S3_BUCKET}/${path}`);
  if (!response.ok) throw new Error(`the S3 server answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

function s3(): AwsClient {
  const { S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = process.env;
  return new AwsClient({ accessKeyId, secretAccessKey, region: process.env.S3_REGION ?? '', service: 's3' });
}

type Answer = { idToken: string; uploadUrl: string; state: string };

/** Sends an image from staff as the console does, without opening a console. */
export async function sendImageAs(handler: Handler, invite: string, file: PickedFile): Promise<void> {
  const id = await conversationOf(invite);
  const { email, password } = handler;
  const { idToken } = await call('POST', '/auth/staff/sign-in', undefined, { email, password });
  const mediaId = randomUUID();
  const type = file.mimeType;
  const begun = { mediaId, type, bytes: file.buffer.length, fileName: file.name };
  const { uploadUrl } = await call('POST', `/conversations/${id}/media`, idToken, begun);
  const put = await fetch(new URL(uploadUrl, process.env.PUBLIC_URL), {
    method: 'PUT',
    headers: { 'content-type': type },
    body: new Uint8Array(file.buffer),
  });
  if (!put.ok) throw new Error(`the store answered ${put.status}`);
  for (let state = 'working'; state !== 'ready'; ) {
    ({ state } = await call('POST', `/conversations/${id}/media/${mediaId}/uploaded`, idToken));
    if (state === 'refused') throw new Error('the image was refused');
  }
  await call('POST', `/conversations/${id}/media/${mediaId}/message`, idToken, { id: randomUUID() });
}

async function call(method: string, path: string, token?: string, body?: object): Promise<Answer> {
  const origin = process.env.PUBLIC_URL ?? '';
  const response = await fetch(origin + path, {
    method,
    headers: {
      origin,
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer}`);
  return JSON.parse(answer) as Answer;
}
