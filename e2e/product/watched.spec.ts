import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { newPerson } from './people.ts';
import { expect, test, type Violation, type Watcher } from './watched.ts';

/** A server on another port, so another origin. */
async function elsewhere(): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => response.end('')).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/pixel`, close: () => server.close() };
}

/** Takes findings until one of this kind matches. */
async function expectViolation(watcher: Watcher, kind: Violation['kind'], what: RegExp): Promise<void> {
  const seen: Violation[] = [];
  await expect
    .poll(() => {
      seen.push(...watcher.take());
      return seen.filter((violation) => violation.kind === kind).map((violation) => violation.what);
    })
    .toContainEqual(expect.stringMatching(what));
}

/** Deliberate violations; the page's own script never does these. */
const plants: [
  kind: Violation['kind'],
  what: RegExp,
  title: string,
  (page: Page, foreign: string) => Promise<void>,
][] = [
  [
    'policy',
    /img-src refuses/,
    'a picture from elsewhere',
    (page, foreign) =>
      page.evaluate((src) => {
        document.body.append(Object.assign(new Image(), { src }));
      }, foreign),
  ],
  [
    'policy',
    /require-trusted-types-for|TrustedHTML/i,
    'markup from a string',
    (page) =>
      page
        .evaluate(() => {
          document.body.innerHTML = '<p>planted</p>';
        })
        .catch(() => {}),
  ],
  [
    'foreign',
    /127\.0\.0\.1/,
    'a request to another origin',
    async (page, foreign) => {
      await page.goto(foreign);
    },
  ],
  [
    'error',
    /planted on purpose/,
    'an error that nobody catches',
    (page) =>
      page.evaluate(() => {
        setTimeout(() => {
          throw new Error('planted on purpose');
        });
      }),
  ],
];

test('[PAGE-12] the watcher sees every breach, and none in what the page contains itself', async ({
  page,
  browser,
  watcher,
}) => {
  await page.goto('/');
  await page.evaluate(async () => {
    for (const src of ['data:image/gif;base64,R0lGODlhAQABAAAAACw=', URL.createObjectURL(new Blob(['x']))]) {
      const image = Object.assign(new Image(), { src });
      document.body.append(image);
      await image.decode().catch(() => {});
    }
  });
  expect(watcher.take()).toEqual([]);

  const foreign = await elsewhere();
  const { page: another } = await newPerson(browser);
  for (const [kind, what, title, plant] of plants) {
    await test.step(title, async () => {
      for (const each of [page, another]) {
        await each.goto('/');
        expect(watcher.take()).toEqual([]);
        await plant(each, foreign.url);
        await expectViolation(watcher, kind, what);
        await watcher.waitForReports(each);
        watcher.take();
      }
    });
  }
  foreign.close();
});

test('[PAGE-12] a test fails for what the watcher saw (as expected)', async ({ page }) => {
  test.fail();
  await page.goto('/');
  const thrown = page.waitForEvent('pageerror');
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('planted on purpose');
    });
  });
  await thrown;
});
