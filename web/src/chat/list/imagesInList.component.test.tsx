import { mediaUrl } from '@settee/protocol/model/media';
import type { Message, Sender } from '@settee/protocol/model/message';
import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useSyncExternalStore } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { fakeClock } from '../../../test/fakeClock.ts';
import { countedIds, lossyUploads, type RequestOutcome } from '../../../test/lossyUploads.ts';
import { memoryUploadStore } from '../../../test/memoryUploadStore.ts';
import { aPhoto } from '../../../test/someFiles.ts';
import { createStore } from '../../browser/createStore.ts';
import type { PutFile } from '../../net/fileTransfer.ts';
import { type MediaAddresses, startMediaAddresses } from '../images/show/mediaAddress.ts';
import { startUploads } from '../images/upload/uploads.ts';
import { type ConversationState, newConversation } from '../model/conversationState.ts';
import { MessageList } from './MessageList.tsx';

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
          onRetry={nothing}
          onDrop={nothing}
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
