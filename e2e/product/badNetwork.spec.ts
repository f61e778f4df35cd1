import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { fullSize } from '../../tools/fullSize.ts';
import { Random } from '../proof/random.ts';
import {
  expectImages,
  images,
  largePhotograph,
  photograph,
  pick,
  storedImages,
  storedObjects,
} from './images.ts';
import { type BadLine, cutsWithin, startBadLine } from './network.ts';
import { type Installation, startInstallation } from './ownInstallation.ts';
import { bubbles, enterConsole, newPerson, send, startChat } from './people.ts';
import { alsoNightly, test as base, expect, nightly } from './watched.ts';

/** 10 MB are uploaded and processed, also on a slow machine. */
const ARRIVES_WITHIN_MS = 120_000;

const MEGABYTE = 1_048_576;
/** The largest image allowed, or a tenth of it. */
const PHOTO_MEGABYTES = fullSize(1, 10);
const PHOTO_BYTES = PHOTO_MEGABYTES * MEGABYTE - 1;
const SEED = 20_261_115;

/** An installation with object storage behind two test proxies: one for browsers, one for the servers. */
const test = base.extend<{ lines: { browsers: BadLine; servers: BadLine }; own: Installation }>({
  lines: async ({ browserName: _ }, use) => {
    const to = process.env.S3_ENDPOINT ?? '';
    // An upload takes some seconds, and in CI longer than the test looks at it.
    const bytesPerSecond = PHOTO_BYTES / fullSize(30, 3);
    const browsers = await startBadLine({ to, bytesPerSecond, uploadBytes: PHOTO_BYTES });
    const servers = await startBadLine({ to });
    await use({ browsers, servers });
    browsers.close();
    servers.close();
  },
  own: async ({ lines }, use) => {
    const own = await startInstallation({
      S3_ENDPOINT: lines.servers.url,
      S3_PUBLIC_ENDPOINT: lines.browsers.url,
    });
    await use(own);
    await own.stop();
  },
  baseURL: ({ own }, use) => use(own.url),
});

test.beforeEach(({ watcher, lines }) => {
  watcher.allow(lines.browsers.url);
});

/** A visitor and a handler with the same chat open, at this installation. */
async function twoAt(own: Installation, browser: Browser): Promise<{ visitor: Page; desk: Page }> {
  const handler = own.handler();
  const { page: visitor } = await newPerson(browser);
  const { page: desk } = await newPerson(browser);
  await startChat(visitor, own.invite(handler.alias), 'Jonas Weber');
  await enterConsole(desk, handler, '/handler');
  await desk.getByRole('link', { name: /Jonas Weber/ }).click();
  await expect(desk.getByPlaceholder('Type your message...')).toBeVisible();
  return { visitor, desk };
}

async function expectOneImageStored({ databaseUrl }: Installation): Promise<void> {
  const stored = await storedImages(databaseUrl);
  expect(stored).toMatchObject([{ state: 'ready', messages: 1 }]);
  const [{ conversationId, path, stagedPath } = { conversationId: '', path: '', stagedPath: '' }] = stored;
  expect(path).toMatch(new RegExp(`^conversations/${conversationId}/media/[\\w-]+_\\d+\\.\\w+$`));
  // The job deletes the upload after it has stored the processed image and reported it.
  await expect.poll(() => storedObjects(stagedPath), { timeout: 20_000 }).toEqual([]);
  expect(await storedObjects(`conversations/${conversationId}/`)).toEqual([path]);
}

test(
  '[MEDIA-03] [L-06] a large photo over a slow connection that breaks repeatedly arrives once',
  alsoNightly,
  async ({ browser, own, lines }) => {
    const photo = await largePhotograph('IMG_0412.jpg', PHOTO_BYTES);
    const { visitor, desk } = await twoAt(own, browser);
    const random = new Random(SEED);
    // In the last cut everything arrives and only the response is lost. A client cannot tell the two apart.
    lines.browsers.cutNext([...cutsWithin(random, photo.buffer.length, fullSize(1, 3)), 'answer']);

    await pick(visitor, photo);
    await expect(visitor.getByText('IMG_0412.jpg')).toBeVisible();
    await visitor.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(visitor.getByRole('progressbar', { name: 'Uploading IMG_0412.jpg' })).toBeVisible();
    await expect(
      visitor.getByText(new RegExp(`^\\d+(\\.\\d)? of ${PHOTO_MEGABYTES}(\\.0)? MB$`)),
    ).toBeVisible();
    // Text does not wait for the image.
    await send(visitor, 'It is on its way');
    await expect(bubbles(desk, 'in').filter({ hasText: 'It is on its way' })).toBeVisible();
    if (!fullSize(false, true)) lines.browsers.hurry();

    await expectImages(visitor, 'out', 1, ARRIVES_WITHIN_MS);
    await expectImages(desk, 'in', 1);
    expect(lines.browsers.cutsLeft()).toBe(0);
    await expectOneImageStored(own);

    await Promise.all([visitor.reload(), desk.reload()]);
    await expectImages(visitor, 'out', 1);
    await expectImages(desk, 'in', 1);
    await expect(bubbles(desk)).toHaveCount(2);
    await expect(bubbles(visitor)).toHaveCount(2);
  },
);

test(
  '[MEDIA-05] object storage that is down delays images only: text continues, and the image arrives later',
  nightly,
  async ({ browser, own, lines }) => {
    const { visitor, desk } = await twoAt(own, browser);
    const usual = await slowest(visitor, desk, 'Before');
    lines.browsers.refuse();
    lines.servers.refuse();
    await pick(visitor, await photograph('harbour.jpg'));
    await visitor.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(visitor.getByRole('progressbar', { name: 'Uploading harbour.jpg' })).toBeVisible();
    await pick(desk, await photograph('answer.jpg'));
    await desk.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(desk.getByRole('progressbar', { name: 'Uploading answer.jpg' })).toBeVisible();

    // Both uploads are being retried. The usual time is measured, because machines differ.
    expect(await slowest(visitor, desk, 'Meanwhile')).toBeLessThan(Math.max(3 * usual, 1_500));
    await expect(images(visitor, 'out')).toHaveCount(1);
    await expect(visitor.locator('[data-upload]')).toContainText('Sending...');

    lines.servers.accept();
    lines.browsers.accept();
    await expectImages(visitor, 'out', 1, 120_000);
    await expectImages(desk, 'in', 1);
    await expectImages(desk, 'out', 1, 120_000);
    await expectImages(visitor, 'in', 1);
    const stored = await storedImages(own.databaseUrl);
    expect(stored).toMatchObject([
      { state: 'ready', messages: 1 },
      { state: 'ready', messages: 1 },
    ]);
  },
);

/** The longest time in ms from Enter to the other side's screen, measured several times in both directions. */
async function slowest(visitor: Page, desk: Page, word: string): Promise<number> {
  const took: number[] = [];
  for (let count = 1; count <= 4; count += 1) {
    for (const [from, to] of [
      [visitor, desk],
      [desk, visitor],
    ] as const) {
      const text = `${word} ${count} ${from === visitor ? 'to the desk' : 'to the visitor'}`;
      const began = performance.now();
      await send(from, text);
      await expect(bubbles(to, 'in').filter({ hasText: text })).toBeVisible();
      took.push(performance.now() - began);
    }
  }
  return Math.max(...took);
}

/** A single gateway that stores media in a folder: no S3, no NATS. */
const onDisk = test.extend<{ folder: string }>({
  folder: async ({ browserName: _ }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'settee-media-'));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
  own: async ({ folder }, use) => {
    const none = Object.fromEntries(
      Object.keys(process.env)
        .filter((key) => key.startsWith('S3_'))
        .map((key) => [key, '']),
    );
    const own = await startInstallation({ ...none, NATS_URL: '', MEDIA_ROOT: folder });
    await use(own);
    await own.stop();
  },
});

onDisk(
  '[MEDIA-01] without object storage a single gateway stores images in its folder, through the same requests',
  nightly,
  async ({ browser, own, folder }) => {
    const { visitor, desk } = await twoAt(own, browser);
    const puts: string[] = [];
    for (const page of [visitor, desk])
      page.on('request', (request) => request.method() === 'PUT' && puts.push(request.url()));
    await pick(visitor, await photograph('harbour.jpg'));
    await visitor.getByRole('button', { name: 'Send', exact: true }).click();
    await expectImages(visitor, 'out', 1);
    await expectImages(desk, 'in', 1);
    await pick(desk, await photograph('answer.jpg'));
    await desk.getByRole('button', { name: 'Send', exact: true }).click();
    await expectImages(desk, 'out', 1);
    await expectImages(visitor, 'in', 1);

    expect(puts).toHaveLength(2);
    for (const url of puts) expect(url).toContain(`${own.url}/`);
    const stored = await storedImages(own.databaseUrl);
    expect(stored).toMatchObject([
      { state: 'ready', messages: 1, fileName: expect.stringMatching(/^harbour\./) },
      { state: 'ready', messages: 1, fileName: expect.stringMatching(/^image\./) },
    ]);
    const pictures = () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
        /\.(jpe?g|png|gif|webp)$/.test(path),
      );
    await expect.poll(() => pictures().sort()).toEqual(stored.map(({ path }) => path).sort());
    // Folder and database hold all data, so a later page finds everything.
    await visitor.reload();
    await expectImages(visitor, 'in', 1);
  },
);
