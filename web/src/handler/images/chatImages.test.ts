import { expect, test } from 'vitest';
import type { Images } from '../../chat/images/images.ts';
import { startPicks } from '../../chat/images/pick/pickStore.ts';
import type { Upload } from '../../chat/images/upload/upload.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { chatImages } from './chatImages.ts';

type Held = { become(list: Partial<Upload>[]): void };

function setUp() {
  const running = new Map<LiveConversation, Held>();
  const images = chatImages(
    async () => (conversation) => {
      const listeners = new Set<() => void>();
      let list: readonly Upload[] = [];
      running.set(conversation, {
        become(next) {
          list = next as Upload[];
          for (const listener of [...listeners]) listener();
        },
      });
      const uploads = {
        list: () => list,
        subscribe(listener: () => void) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      };
      return { uploads, stop: () => void running.delete(conversation) } as unknown as Images;
    },
    picksOf,
  );
  return { ...images, running };
}

const picksOf = () => startPicks(async (file) => ({ file, type: 'image/png', width: 2, height: 1 }));
const chat = (id = 'a') => ({ state: () => ({ id }) }) as LiveConversation;

test('[CONSOLE-49] a conversation has one set of images, however often it opens, and reports every change', async () => {
  const { of, now, uploads, subscribe, running } = setUp();
  const [a, b] = [chat(), chat()];
  let notified = 0;
  subscribe(() => {
    notified += 1;
  });
  expect(now(a)).toBeUndefined();
  expect(uploads(a)).toBe(uploads(b));
  const [first, second] = await Promise.all([of(a), of(a)]);
  expect(second).toBe(first);
  expect(now(a)).toBe(first);
  await of(b);
  const before = notified;
  running.get(a)?.become([{ id: 'one', state: 'uploading' }]);
  expect(notified).toBe(before + 1);
  expect(uploads(a)).toMatchObject([{ id: 'one' }]);
  expect(uploads(b)).toEqual([]);
});

test('[CONSOLE-49] an upload keeps its conversation busy; an image that waits for a person does not', async () => {
  const { of, isBusy, running } = setUp();
  const a = chat();
  await of(a);
  expect(isBusy('a')).toBe(false);
  for (const [state, busy] of [
    ['uploading', true],
    ['checking', true],
    ['failed', false],
    ['refused', false],
  ] as const) {
    running.get(a)?.become([{ id: 'one', conversationId: 'a', state }]);
    expect(isBusy('a'), state).toBe(busy);
    expect(isBusy('b')).toBe(false);
  }
});

test('[CONSOLE-49] a released conversation stops its uploads; the one that replaces it keeps its own', async () => {
  const { of, close, now, running } = setUp();
  const [old, fresh] = [chat(), chat()];
  await of(old);
  const kept = await of(fresh);
  const late = chat();
  const loading = of(late);
  close(old);
  close(late);
  await expect(loading).rejects.toThrow();
  expect([...running.keys()]).toEqual([fresh]);
  expect(now(fresh)).toBe(kept);
});

test('[CONSOLE-49] signing out stops every upload, and none starts after it', async () => {
  const { of, stopAll, running, uploads } = setUp();
  const [a, b] = [chat(), chat()];
  await of(a);
  const late = of(b);
  stopAll();
  await expect(late).rejects.toThrow();
  await expect(of(a)).rejects.toThrow();
  expect(running.size).toBe(0);
  expect(uploads(a)).toEqual([]);
});

test('[CONSOLE-49] selected images wait for the handler’s return, and keep their conversation loaded', async () => {
  const { picks, hasUnsent, isBusy, close, stopAll } = setUp();
  const [a, b] = [chat('a'), chat('b')];
  const file = new File(['x'], 'harbour.jpg');
  expect([picks(a).state().images, hasUnsent('a')]).toEqual([[], false]);
  picks(a).add([file]);
  // Also while it is still being checked.
  expect([hasUnsent('a'), hasUnsent('b'), hasUnsent('c'), isBusy('a')]).toEqual([true, false, false, false]);
  const waitingSummary = picks(a);
  await expect.poll(() => waitingSummary.state().images).toHaveLength(1);
  expect(picks(a)).toBe(waitingSummary);
  expect(hasUnsent('a')).toBe(true);
  await waitingSummary.handTo(async () => ({ addRead: () => {} }));
  expect(hasUnsent('a')).toBe(false);
  close(a);
  picks(a).add([file]);
  expect([picks(a).state().checking, hasUnsent('a')]).toEqual([0, false]);
  picks(b).add([file]);
  stopAll();
  expect([picks(b).state().checking, hasUnsent('b')]).toEqual([0, false]);
});
