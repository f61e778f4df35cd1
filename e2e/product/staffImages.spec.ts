import { randomUUID } from 'node:crypto';
import type { Browser, Page, Response } from '@playwright/test';
import { createHandler, createInvites, type Handler } from './accounts.ts';
import { drop, expectImages, images, paste, photograph, pick, storedBytes, storedImages } from './images.ts';
import { holdLine } from './network.ts';
import { bubbles, expectSignedOut, newPerson, send, signIn, startChat } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

const reply = (page: Page) => page.getByRole('textbox', { name: 'Type your message...' });
const row = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(name) });
const bubblesWith = (page: Page, text: string) => bubbles(page).filter({ hasText: text });
const press = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();

/** Records everything that a page receives: addresses, headers, bodies, frames. */
function recordAll(page: Page): { bodies: Buffer[]; texts(): Promise<string> } {
  const bodies: Buffer[] = [];
  const texts: string[] = [];
  const reading: Promise<unknown>[] = [];
  const read = async (response: Response): Promise<void> => {
    // Previews of local files do not come from the server.
    if (response.url().startsWith('blob:')) return;
    const head = await response.allHeaders().catch(() => ({}));
    texts.push(response.url(), JSON.stringify(head));
    // A redirect has no body, and neither has an aborted request.
    const body = await response.body().catch(() => undefined);
    if (!body) return;
    texts.push(body.toString('latin1'), body.toString('utf8'));
    if (response.request().resourceType() === 'image') bodies.push(body);
  };
  page.on('response', (response) => reading.push(read(response)));
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => texts.push(String(payload))));
  return {
    bodies,
    async texts() {
      await Promise.all(reading);
      return [...texts, await page.content(), decodeURIComponent(page.url())].join('\n');
    },
  };
}

test('[K-05] [K-06] images by button, paste and drop reach the visitor, and nothing about their sender does', async ({
  browser,
}) => {
  const canary = `canary-${randomUUID()}`;
  const { page: visitor } = await newPerson(browser);
  const received = recordAll(visitor);
  const handler = createHandler();
  const [invite = ''] = createInvites(handler.alias, 1);
  await startChat(visitor, invite, 'Jonas Weber');
  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  await row(desk, 'Jonas Weber').click();
  const file = (name: string) => photograph(`${canary} ${name}`, { owner: canary });

  await pick(desk, await file('button.jpg'));
  const preview = desk.getByRole('listitem').filter({ hasText: `${canary} button.jpg` });
  await expect(preview).toContainText(/0\.\d MB/);
  await expect(reply(desk)).toBeFocused();
  await preview.getByRole('button', { name: `Remove ${canary} button.jpg` }).click();
  await expect(preview).toHaveCount(0);
  // Nothing can be sent: there is neither text nor an image.
  await expect(desk.getByRole('button', { name: 'Send', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );

  await pick(desk, await file('button.jpg'));
  await press(desk);
  await expect(preview).toHaveCount(0);
  await expectImages(desk, 'out', 1);
  await expectImages(visitor, 'in', 1);
  await expect(row(desk, 'Jonas Weber')).toContainText('Ana: [Media]');

  await paste(desk, await file('paste.jpg'));
  await reply(desk).fill('And some words');
  await press(desk);
  await expectImages(visitor, 'in', 2);
  await expect(bubblesWith(visitor, 'And some words')).toBeVisible();
  await expect(reply(desk)).toHaveValue('');

  // A note takes no image, and the page does not switch from the note to the reply.
  await desk.getByRole('tab', { name: 'Note' }).click();
  await expect(desk.getByRole('button', { name: 'Send an image' })).toHaveCount(0);
  await drop(desk, await file('drop.jpg'));
  await expect(desk.getByRole('alert').filter({ hasText: 'Notes can’t include images.' })).toBeVisible();
  await expect(desk.getByRole('tab', { name: 'Note' })).toHaveAttribute('aria-selected', 'true');
  await desk.getByRole('tab', { name: 'Reply' }).click();
  await expect(desk.getByRole('listitem').filter({ hasText: canary })).toHaveCount(0);
  await drop(desk, await file('drop.jpg'));
  await expect(desk.getByRole('listitem').filter({ hasText: canary })).toHaveCount(1);
  // The image waits there while the handler looks at another chat or at the queue.
  await desk.getByRole('button', { name: 'Back to Queue' }).click();
  await row(desk, 'Jonas Weber').click();
  await expect(desk.getByRole('listitem').filter({ hasText: canary })).toHaveCount(1);
  await press(desk);
  await expectImages(desk, 'out', 3);
  await expectImages(visitor, 'in', 3);

  // A file that is not an image is refused with the specified text.
  await drop(desk, { name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
  await expect(desk.getByText('Please select a valid image file (JPEG, PNG, GIF, or WebP)')).toBeVisible();

  // In the other direction the file name is the visitor's, and the handler sees it.
  await pick(visitor, await photograph('holiday in Lyon.jpg'));
  await press(visitor);
  await expectImages(desk, 'in', 1);
  await expect(images(desk, 'in')).toHaveAttribute('aria-label', /holiday in Lyon/);
  await expect(row(desk, 'Jonas Weber')).toContainText('[Media]');
  await expect(row(desk, 'Jonas Weber')).not.toContainText('Ana:');
  await visitor.reload();
  await expectImages(visitor, 'in', 3);

  const stored = (await storedImages()).filter(({ path }) => path.includes(conversationOf(desk)));
  expect(stored.map(({ fileName, fromOwner }) => [fromOwner, fileName.replace(/\.\w+$/, '')])).toEqual([
    [true, 'image'],
    [true, 'image'],
    [true, 'image'],
    [false, 'holiday in Lyon'],
  ]);
  const given = await received.texts();
  expect(given).toContain('And some words');
  for (const secret of [canary, handler.alias, handler.email, 'Ana Kovač'])
    expect(given).not.toContain(secret);
  expect(received.bodies.length).toBeGreaterThanOrEqual(3);
  const kept = await Promise.all(stored.map(({ path }) => storedBytes(path)));
  for (const body of [...received.bodies, ...kept]) {
    for (const mark of ['Exif', 'EXIF', canary, 'http://ns.adobe.com'])
      expect(body.includes(mark), mark).toBe(false);
  }
});

function conversationOf(desk: Page): string {
  return new URL(desk.url()).pathname.split('/').at(-1) ?? '';
}

async function deskWithTwo(
  browser: Browser,
): Promise<{ handler: Handler; desk: Page; jonas: Page; lea: Page }> {
  const handler = createHandler();
  const [first = '', second = ''] = createInvites(handler.alias, 2);
  const { page: jonas } = await newPerson(browser);
  const { page: lea } = await newPerson(browser);
  await startChat(jonas, first, 'Jonas Weber');
  await startChat(lea, second, 'Léa Moreau');
  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  return { handler, desk, jonas, lea };
}

/** Holds uploads until the returned function runs. */
async function holdFiles(desk: Page): Promise<() => Promise<void>> {
  let through = false;
  const held: (() => Promise<void>)[] = [];
  await desk.route(
    (url) => url.pathname.includes('/uploads/'),
    (route) => {
      if (through || route.request().method() !== 'PUT') return route.continue();
      held.push(() => route.continue().catch(() => {}));
    },
  );
  return async () => {
    through = true;
    await Promise.all(held.map((go) => go()));
  };
}

test(
  '[CONSOLE-49] uploads of two chats run side by side, and end with their session',
  alsoInFirefox,
  async ({ browser }) => {
    const { handler, desk, jonas, lea } = await deskWithTwo(browser);
    const colleague = createHandler(handler.alias, process.env, {
      name: 'Ben Ito',
      email: `ben-${handler.alias}@settee.example`,
    });
    let release = await holdFiles(desk);
    const uploading = desk.locator('[data-upload=uploading]');

    await row(desk, 'Jonas Weber').click();
    await pick(desk, await photograph('for Jonas.jpg'));
    await press(desk);
    await expect(uploading).toHaveCount(1);
    // The chat cannot be closed during the upload.
    await desk.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(desk.getByText('A reply has not been sent yet, so the chat stays open.')).toBeVisible();
    await row(desk, 'Léa Moreau').click();
    await expect(uploading).toHaveCount(0);
    await pick(desk, await photograph('for Léa.jpg'));
    await press(desk);
    await send(desk, 'Words overtake it');
    await expect(bubblesWith(lea, 'Words overtake it')).toBeVisible();
    await expect(uploading).toHaveCount(1);
    await expect(uploading).toContainText('MB');
    await release();
    await expectImages(lea, 'in', 1);
    await expectImages(jonas, 'in', 1);
    await expectImages(desk, 'out', 1);
    await row(desk, 'Jonas Weber').click();
    await expectImages(desk, 'out', 1);

    // The handler signs out during an upload: the next user of this machine neither sees nor sends it.
    await desk.unrouteAll();
    release = await holdFiles(desk);
    for (const name of ['Léa Moreau', 'Jonas Weber']) {
      await row(desk, name).click();
      await expect(uploading).toHaveCount(0);
      await pick(desk, await photograph('private.jpg'));
      await press(desk);
      await expect(uploading).toHaveCount(1);
    }
    await desk.getByRole('button', { name: 'Sign Out' }).first().click();
    await expectSignedOut(desk);
    await release();
    await signIn(desk, colleague);
    await row(desk, 'Jonas Weber').click();
    // A reply before the new message has loaded would be outdated.
    await expectImages(desk, 'out', 1);
    await send(desk, 'From a colleague');
    await expect(bubblesWith(jonas, 'From a colleague')).toBeVisible();
    await expect(uploading).toHaveCount(0);
    await expectImages(jonas, 'in', 1);

    // The first handler finds the uploads again. They continue by themselves, unless a colleague has answered meanwhile.
    await desk.getByRole('button', { name: 'Sign Out' }).first().click();
    await expectSignedOut(desk);
    await signIn(desk, handler);
    await expectImages(lea, 'in', 2);
    await row(desk, 'Jonas Weber').click();
    await desk.getByRole('button', { name: 'Try again' }).click({ timeout: 60_000 });
    await expectImages(jonas, 'in', 2);
    await expectImages(desk, 'out', 2);
  },
);

test('an image on an outdated view is held: read, then retried', alsoInFirefox, async ({ browser }) => {
  const { handler, desk, jonas } = await deskWithTwo(browser);
  const line = await holdLine(desk);
  await desk.reload();
  await row(desk, 'Jonas Weber').click();
  await send(jonas, 'May I see the harbour?');
  await expect(desk.getByRole('log').getByText('May I see the harbour?')).toBeVisible();
  const { page: other } = await newPerson(browser);
  await signIn(other, handler);
  await row(other, 'Jonas Weber').click();

  // The colleague's answer is delayed, so this image is sent first.
  let deaf = true;
  line.onDown = (frame) => {
    deaf &&= JSON.parse(frame).type !== 'refused';
    return deaf ? undefined : frame;
  };
  await send(other, 'Not today');
  await expect(bubblesWith(jonas, 'Not today')).toBeVisible();
  await pick(desk, await photograph('harbour.jpg'));
  await press(desk);
  await expect(
    desk.getByRole('alert').filter({ hasText: 'Someone else replied while you were writing.' }),
  ).toBeVisible({ timeout: 60_000 });
  await expect(bubblesWith(desk, 'Not today')).toBeVisible();
  const failed = desk.getByRole('log').locator('[data-side=out]').filter({ hasText: 'Not sent' });
  await expect(failed).toHaveCount(1);
  await expectImages(jonas, 'in', 0);

  await failed.getByRole('button', { name: 'Try again' }).click();
  await expectImages(jonas, 'in', 1);
  await expectImages(desk, 'out', 1);
  await expect(failed).toHaveCount(0);
});
