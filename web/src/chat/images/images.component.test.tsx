import { mediaUrl } from '@settee/protocol/model/media';
import type { Message, Sender } from '@settee/protocol/model/message';
import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useSyncExternalStore } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { aPhoto } from '../../../test/browser.ts';
import { fakeClock } from '../../../test/fakeClock.ts';
import {
  countedIds,
  lossyUploads,
  memoryUploadStore,
  type RequestOutcome,
} from '../../../test/fakeUploads.ts';
import { createStore } from '../../browser/createStore.ts';
import type { PutFile } from '../../net/fileTransfer.ts';
import { MessageList } from '../list/MessageList.tsx';
import { type ConversationState, newConversation } from '../model/conversationState.ts';
import type { Entry } from '../model/entries.ts';
import { readImageFile } from './pick/imageFile.ts';
import { AddressesContext } from './show/addressesContext.ts';
import { Lightbox } from './show/Lightbox.tsx';
import { MediaView } from './show/MediaView.tsx';
import { type MediaAddresses, startMediaAddresses } from './show/mediaAddress.ts';
import { startUploads } from './upload/uploads.ts';

/** Addresses of images for a component: every image has this address, or none is known. */
function fakeAddresses(address?: string) {
  return {
    get: async () => address,
    known: () => address,
    failed: () => {},
    onLine: () => () => {},
    keepOwn: () => {},
    stop: () => {},
  };
}

// Midnight must not come between the data and the screen.
vi.setSystemTime(new Date(2026, 10, 16, 15));

/** An image as wide and high as the window. */
const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="700"><rect width="1200" height="700" fill="teal"/></svg>')}`;

const entries = (['visitor', 'owner'] as const).map(
  (sender, i): Entry => ({
    key: String(i),
    seq: i + 1,
    sender,
    text: '',
    media: { mediaUrl: `/media/${i}`, mediaType: 'image/png', fileName: 'IMG_2034.png' },
    at: new Date().setHours(9, 41 + i, 0, 0),
    state: 'stored',
  }),
);

const addresses = fakeAddresses(picture);

async function open(onClose = () => {}) {
  const screen = await render(
    <AddressesContext value={addresses}>
      <Lightbox entries={entries} at="1" me="visitor" name="Mara Lindqvist" onClose={onClose} />
    </AddressesContext>,
  );
  await expect.element(screen.getByRole('img')).toHaveAttribute('data-shown', 'true');
  return screen;
}

const stage = () => document.querySelector<HTMLElement>('dialog img')?.parentElement ?? document.body;

/** A pointer of the browser would need a touch screen. The page sees the same events. */
function touch(type: string, pointerId: number, clientX: number, pointerType = 'touch'): void {
  const options = { pointerId, clientX, clientY: 400, pointerType, bubbles: true, cancelable: true };
  stage().dispatchEvent(new PointerEvent(type, options));
}

const STEPS = [0.25, 0.5, 0.75, 1];

async function swipe(from: number, to: number, pointerType = 'touch'): Promise<void> {
  const before = shift().e;
  touch('pointerdown', 1, from, pointerType);
  for (const part of STEPS) touch('pointermove', 1, from + (to - from) * part, pointerType);
  // The image follows the pointer.
  await expect.poll(() => shift().e).toBe(before + to - from);
  touch('pointerup', 1, to, pointerType);
}

/** On a busy machine more than 350 ms may pass between two clicks of the browser. */
function doubleClick(image: Element): void {
  for (let n = 0; n < 2; n += 1) {
    for (const type of ['pointerdown', 'pointerup']) touch(type, 1, 640, 'mouse');
    image.dispatchEvent(new MouseEvent('click', { clientX: 640, clientY: 400, bubbles: true }));
  }
}

/** Two fingers around the middle, with these distances. */
function pinch(from: number, to: number): void {
  const middle = 640;
  for (const id of [1, 2]) touch('pointerdown', id, middle + (id === 1 ? -from : from) / 2);
  for (const part of STEPS) {
    const apart = from + (to - from) * part;
    for (const id of [1, 2]) touch('pointermove', id, middle + (id === 1 ? -apart : apart) / 2);
  }
  for (const id of [1, 2]) touch('pointerup', id, middle + (id === 1 ? -to : to) / 2);
}

const shift = () => {
  const drawn = document.querySelector('dialog img');
  return drawn ? new DOMMatrix(getComputedStyle(drawn).transform) : new DOMMatrix();
};

test('the viewer shows who sent an image and when, not its file, and offers to save it', async () => {
  const screen = await open();
  await expect.element(screen.getByText('Mara Lindqvist', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('Today 09:42 · 2 of 2')).toBeVisible();
  expect(document.body.textContent).not.toContain('IMG_2034');
  await expect.element(screen.getByRole('button', { name: imageTexts.save })).toBeVisible();
});

test('arrow keys pan a zoomed image, and go to the next one otherwise', async () => {
  const screen = await open();
  await userEvent.keyboard('+');
  await userEvent.keyboard('+');
  await expect.poll(() => shift().a).toBeGreaterThan(2);
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(() => shift().e).toBe(-80);
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => shift().f).toBe(-80);
  await userEvent.keyboard('{ArrowLeft}{ArrowUp}');
  await expect.poll(() => [shift().e, shift().f]).toEqual([0, 0]);
  await screen.getByRole('button', { name: imageTexts.zoomOut }).click();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(screen.getByText('Today 09:41 · 1 of 2')).toBeVisible();
});

test('Back closes the viewer and stays on the page', async () => {
  const closed = Promise.withResolvers<void>();
  await open(() => closed.resolve());
  const { href } = location;
  history.back();
  await closed.promise;
  expect(location.href).toBe(href);
});

test('arrow keys, Home and the buttons go through all images, and the focus stays on the button', async () => {
  const screen = await open();
  const second = screen.getByText('Today 09:42 · 2 of 2');
  await expect.element(screen.getByRole('img', { name: 'Image from Mara Lindqvist' })).toBeVisible();
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  await expect.element(screen.getByText('Today 09:41 · 1 of 2')).toBeVisible();
  await expect.element(screen.getByText(texts.you, { exact: true })).toBeVisible();
  // At the end the button keeps the focus, so the keys still work.
  const next = screen.getByRole('button', { name: imageTexts.next });
  (next.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}{Enter}');
  await expect.element(second).toBeVisible();
  await expect.element(next).toHaveFocus();
  await userEvent.keyboard('{Home}');
  await expect.element(screen.getByText('Today 09:41 · 1 of 2')).toBeVisible();
  await userEvent.keyboard('{End}');
  await expect.element(second).toBeVisible();
});

test('an image is zoomed by button, double click, wheel and two fingers, and moved by the pointer', async () => {
  vi.spyOn(Element.prototype, 'setPointerCapture').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const screen = await open();
  const scale = () => shift().a;
  await screen.getByRole('button', { name: imageTexts.zoomIn }).click();
  await expect.poll(scale).toBe(2.5);
  await swipe(600, 500, 'mouse');
  await screen.getByRole('button', { name: imageTexts.zoomOut }).click();
  await expect.poll(scale).toBe(1);
  doubleClick(screen.getByRole('img').element());
  await expect.poll(scale).toBe(2.5);
  stage().dispatchEvent(
    new WheelEvent('wheel', { ctrlKey: true, deltaY: 2_000, clientX: 640, clientY: 400, cancelable: true }),
  );
  await expect.poll(scale).toBe(1);
  pinch(100, 300);
  await expect.poll(scale).toBeGreaterThan(2);
  pinch(300, 60);
  await expect.poll(scale).toBe(1);
});

/** An image that the test server has: one that fails to load would be replaced by a message. */
const address = '/web/public/favicon.svg';

const unknownAddresses = fakeAddresses();

test('[V-16] media shows as an image, a video or a link, by its type, and only if the page may load it', async () => {
  const kinds = [
    { mediaType: 'image/webp', mediaUrl: address, fileName: 'lighthouse.webp' },
    { mediaType: 'video/mp4', mediaUrl: address, fileName: 'film.mp4' },
    { mediaType: 'application/pdf', mediaUrl: address, fileName: 'letter.pdf' },
    { mediaType: 'application/pdf', mediaUrl: 'javascript:alert(1)', fileName: 'trap.pdf' },
  ];
  const screen = await render(
    <AddressesContext value={unknownAddresses}>
      {kinds.map((media) => (
        <MediaView key={media.fileName} media={media} mine name="Mara" tabIndex={0} />
      ))}
    </AddressesContext>,
  );
  const image = screen.getByRole('img', { name: 'Your image: lighthouse.webp' });
  await expect.element(image).toHaveAttribute('src', address);
  await expect.poll(() => (image.element() as HTMLImageElement).naturalWidth).toBeGreaterThan(0);
  const video = () => screen.container.querySelector('video');
  await expect.poll(() => video()?.getAttribute('src')).toBe(address);
  await expect.element(screen.getByRole('link', { name: 'letter.pdf' })).toHaveAttribute('href', address);
  // An anchor without an address is no link.
  expect(screen.getByText('trap.pdf').element().tagName).toBe('A');
  await expect.element(screen.getByText('trap.pdf')).not.toHaveAttribute('href');
});

const bytesOf = (content: string) => Uint8Array.from(content, (letter) => letter.charCodeAt(0));

test('[C-03] the browser measures an image', async () => {
  const gif = bytesOf(atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'));
  const file = new File([gif], 'a.gif');
  expect(await readImageFile(file)).toEqual({ file, type: 'image/gif', width: 1, height: 1 });
});

test('a HEIC photo that the browser cannot read is refused', async () => {
  const heic = bytesOf('\0\0\0\u0018ftypheic\0\0\0\0mif1heic');
  const file = new File([heic], 'IMG_1.HEIC', { type: 'image/heic' });
  expect(await readImageFile(file)).toBe(texts.imageWrongType);
});

const ID = 'c0000000-0000-4000-8000-000000000000';
const MB = 1_048_576;
const SIZE = { width: 1_200, height: 1_600 };

/** An image of that size. */
const drawn = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${SIZE.height}"/>`)}`;

const text = (sender: Sender, words: string) => ({ sender, text: words });

const image = (sender: Sender, fileName: string) => ({
  sender,
  text: '',
  mediaUrl: mediaUrl(ID, crypto.randomUUID()),
  mediaType: 'image/webp',
  fileName,
  ...SIZE,
});

function stateOf(...all: (ReturnType<typeof text> | ReturnType<typeof image>)[]): ConversationState {
  const messages = all.map(
    (one, i): Message => ({ ...one, conversationId: ID, id: `m${i}`, seq: i + 1, createdAt: i + 1 }),
  );
  const { length } = messages;
  return {
    ...newConversation(ID, 'visitor'),
    loaded: true,
    head: length,
    looked: length,
    log: { messages, aside: [] },
  };
}

/** A thread with its uploads, on a server whose connection and time the test controls. */
async function renderThread(
  first: ConversationState,
  different: { get?: MediaAddresses['get']; put?: PutFile } = {},
) {
  const clock = fakeClock();
  const line: { outcome: RequestOutcome } = { outcome: 'success' };
  const server = lossyUploads(clock, () => line.outcome);
  const state = createStore(first);
  const shared = { conversationId: ID, api: server.api, clock, random: () => 1, onLine: () => () => {} };
  const { put = server.put, ...other } = different;
  const addresses = { ...startMediaAddresses(shared), ...other };
  const uploads = startUploads({
    ...shared,
    put,
    store: memoryUploadStore(),
    createId: countedIds(),
    async sendImage(id, at, { mediaId, media }) {
      const picture = { mediaId, media: { ...media, ...SIZE } };
      state.update({ pending: [...state.get().pending, { id, text: '', at, picture, state: 'acked' }] });
    },
    onSent: addresses.keepOwn,
  });
  const images = { uploads, addresses, stop() {} };
  function Thread() {
    const now = useSyncExternalStore(state.subscribe, state.get);
    const list = useSyncExternalStore(uploads.subscribe, uploads.list);
    const nothing = () => {};
    return (
      <div style={{ display: 'flex', height: '100vh' }}>
        <MessageList
          state={now}
          name="Mara"
          empty={null}
          onLooked={nothing}
          loadOlder={async () => false}
          images={images}
          uploads={list}
        />
      </div>
    );
  }
  const screen = await render(<Thread />);
  const log = screen.getByRole('log').element();
  return {
    screen,
    clock,
    line,
    state,
    log,
    /** A photo of two megabytes. */
    async add(name: string) {
      const file = new File([await aPhoto(name, SIZE.width, SIZE.height), new Uint8Array(2 * MB)], name);
      uploads.addRead({ file, type: 'image/jpeg', ...SIZE });
    },
    fromEnd: () => log.scrollHeight - log.scrollTop - log.clientHeight,
    upload: () => log.querySelector<HTMLElement>('[data-upload]'),
    pictures: () => [...log.querySelectorAll<HTMLElement>('[data-image]')],
  };
}

const heightOf = (element: Element | null | undefined) => element?.getBoundingClientRect().height ?? 0;

test('an upload shows its image at once, with a ring and megabytes; text overtakes it; it can be cancelled', async () => {
  const before = stateOf(text('visitor', 'before'));
  // Half of the bytes arrive.
  const put: PutFile = (_, file, { onProgress }) => {
    onProgress(file.size / 2);
    return new Promise(() => {});
  };
  const { screen, clock, state, log, add, fromEnd, upload } = await renderThread(before, { put });
  await add('lighthouse.jpg');
  await clock.pass(1_000);
  const ring = screen.getByRole('progressbar', { name: 'Uploading lighthouse.jpg' });
  await expect.element(ring).toHaveAttribute('aria-valuetext', '1.0 of 2.0 MB');
  await expect.element(screen.getByText('1.0 of 2.0 MB')).toBeVisible();
  await expect.poll(() => upload()?.querySelector('img')?.naturalWidth).toBe(SIZE.width);
  expect(heightOf(upload()?.querySelector('img'))).toBeCloseTo(360, 0);
  expect(fromEnd()).toBeLessThan(2);

  state.set(stateOf(text('visitor', 'before'), text('visitor', 'words overtake it')));
  await expect.element(screen.getByText('words overtake it', { exact: true })).toBeVisible();
  expect([...log.querySelectorAll('article')].at(-1)?.dataset.upload).toBe('uploading');
  const cancel = screen.getByRole('button', { name: imageTexts.cancel });
  const { width, height } = cancel.element().getBoundingClientRect();
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  (cancel.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(ring).not.toBeInTheDocument();
  expect(document.activeElement).toBe(log);
});

test('an upload that fails for ten minutes can be retried, and its image stays in place', async () => {
  const { screen, clock, line, add, fromEnd, upload, pictures } = await renderThread(stateOf());
  line.outcome = 'request lost';
  await add('lighthouse.jpg');
  await clock.pass(9 * 60_000);
  expect(upload()?.dataset.upload).toBe('uploading');
  await clock.pass(2 * 60_000);
  await expect.element(screen.getByRole('alert')).toHaveTextContent(`${texts.notSent}${texts.tryAgain}`);
  const before = heightOf(upload()?.querySelector('img'));
  line.outcome = 'success';
  await screen.getByRole('button', { name: texts.tryAgain }).click();
  await clock.pass(10_000);
  await expect.poll(() => pictures().length).toBe(1);
  expect(upload()).toBeNull();
  expect(heightOf(pictures()[0])).toBeCloseTo(before, 0);
  expect(fromEnd()).toBeLessThan(2);
});

test.each([
  { width: 390, height: 844 },
  { width: 1_280, height: 800 },
])('the first image that a visitor sends is in view, at $width px', async ({ width, height }) => {
  await page.viewport(width, height);
  const many = Array.from({ length: 30 }, (_, i) => text(i % 2 ? 'owner' : 'visitor', `Message ${i}`));
  const { clock, add, fromEnd, upload, pictures, log } = await renderThread(stateOf(...many));
  await expect.poll(fromEnd).toBe(0);
  await add('letter.jpg');
  const inView = (element: Element | null | undefined) => {
    const box = element?.getBoundingClientRect();
    const frame = log.getBoundingClientRect();
    return box !== undefined && box.height > 0 && box.top >= frame.top && box.bottom <= frame.bottom;
  };
  await expect.poll(() => inView(upload()?.querySelector('img'))).toBe(true);
  await clock.pass(10_000);
  await expect.poll(() => inView(pictures().at(-1))).toBe(true);
  await expect.poll(fromEnd).toBe(0);
});

test('images that load late do not move what is being read', async () => {
  const given = Promise.withResolvers<void>();
  const get = () => given.promise.then(() => drawn);
  const { pictures, fromEnd } = await renderThread(
    stateOf(
      text('visitor', 'words before'),
      image('owner', 'a.webp'),
      image('visitor', 'my lighthouse.webp'),
    ),
    { get },
  );
  await expect.poll(() => pictures().length).toBe(2);
  await expect.poll(fromEnd).toBeLessThan(2);
  const tops = () => pictures().map((one) => one.getBoundingClientRect().top);
  const before = tops();
  given.resolve();
  await expect
    .poll(() => pictures().map((one) => one.querySelector('img')?.naturalWidth))
    .toEqual([SIZE.width, SIZE.width]);
  expect(tops()).toEqual(before);
  expect(fromEnd()).toBeLessThan(2);
});

test('messages are one Tab stop; Enter on an image opens it, and Esc returns to it', async () => {
  const { screen, log, pictures } = await renderThread(
    stateOf(text('visitor', 'words'), image('owner', 'a.webp'), image('visitor', 'my lighthouse.webp')),
    { get: async () => drawn },
  );
  await expect.poll(() => pictures().length).toBe(2);
  expect(log.querySelectorAll(':is([data-copy], [data-image])[tabindex="0"]')).toHaveLength(1);
  log.focus();
  await userEvent.tab();
  await expect.poll(() => document.activeElement).toBe(pictures()[1]);
  await userEvent.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(pictures()[0]);
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(screen.getByRole('button', { name: 'Copy: words' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(pictures()[1]);
  await userEvent.keyboard('{Enter}');
  const viewer = screen.getByRole('dialog', { name: imageTexts.viewer });
  await expect.element(viewer).toBeVisible();
  await expect.element(viewer.getByText(/2 of 2/)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(viewer).not.toBeInTheDocument();
  expect(document.activeElement).toBe(pictures()[1]);
});
