import { texts } from '@settee/protocol/texts/texts';
import { expect, test } from 'vitest';
import type { ImageFile } from './imageFile.ts';
import { startPicks } from './pickStore.ts';

type Answer = (image: ImageFile | string) => void;

/** The test decides when files are checked. */
function setUp() {
  const asked: { file: File; answer: Answer; fail: (error: Error) => void }[] = [];
  const picks = startPicks((file) => new Promise((answer, fail) => asked.push({ file, answer, fail })));
  const taken: string[] = [];
  const open = async () => ({ addRead: ({ file }: ImageFile) => void taken.push(file.name) });
  const names = () => picks.state().images.map(({ file }) => file.name);
  async function check(problem?: string): Promise<void> {
    await settled();
    const next = asked.at(-1);
    next?.answer(problem ?? imageOf(next.file));
    await settled();
  }
  return { ...picks, asked, taken, open, names, check };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const files = (...names: string[]) => names.map((name) => new File(['x'], name));
const imageOf = (file: File): ImageFile => ({ file, type: 'image/png', width: 2, height: 1 });

test('files are read one after the other, in order, each once', async () => {
  const { add, state, names, asked, check, handTo, open, taken } = setUp();
  add(files('a', 'b'));
  add(files('c'));
  await settled();
  expect([asked.length, state().checking]).toEqual([1, 3]);
  await check();
  expect([asked.length, names(), state().checking]).toEqual([2, ['a'], 2]);
  await check();
  await check();
  expect([names(), state().checking]).toEqual([['a', 'b', 'c'], 0]);
  await handTo(open);
  expect([taken, asked.length]).toEqual([['a', 'b', 'c'], 3]);
});

test('all are sent in one step: pressed again, or in another composer, none is sent twice', async () => {
  const { add, check, remove, state, handTo, open, taken } = setUp();
  add(files('a', 'b', 'c'));
  for (let n = 0; n < 3; n += 1) await check();
  const opened = Promise.withResolvers<Awaited<ReturnType<typeof open>>>();
  const first = handTo(() => opened.promise);
  const second = handTo(() => opened.promise);
  // Until they are handed on, an image can still be removed.
  const [, b] = state().images;
  if (b) remove(b);
  opened.resolve(await open());
  await Promise.all([first, second]);
  expect([taken, state().images]).toEqual([['a', 'c'], []]);
});

test('files that cannot be handed over stay', async () => {
  const { add, check, names, handTo } = setUp();
  add(files('a'));
  await check();
  await expect(handTo(() => Promise.reject(new Error('left')))).rejects.toThrow('left');
  expect(names()).toEqual(['a']);
});

test('Send waits for files that are being read, also for files selected meanwhile', async () => {
  const { add, check, whenChecked } = setUp();
  expect(whenChecked()).toBeUndefined();
  add(files('a'));
  let good: boolean | undefined;
  void whenChecked()?.then((answer) => {
    good = answer;
  });
  add(files('b'));
  await check();
  expect(good).toBeUndefined();
  await check();
  expect(good).toBe(true);
  expect(whenChecked()).toBeUndefined();
});

test('[C-03] a refused file keeps the others, holds what was sent with it, and stays until dismissed', async () => {
  const { add, check, whenChecked, dismiss, state, names } = setUp();
  add(files('a', 'b', 'c'));
  const good = whenChecked();
  await check(texts.imageTooLarge);
  expect(state().problem).toBe(texts.imageTooLarge);
  await check(texts.imageWrongType);
  expect(state().problem).toBe(texts.imageTooLarge);
  dismiss();
  await check();
  expect([await good, names(), state().problem]).toEqual([false, ['c'], texts.imageTooLarge]);
});

test('[C-03] a script that does not load shows an error and ends the wait', async () => {
  const { add, asked, whenChecked, state } = setUp();
  add(files('a'));
  await settled();
  asked[0]?.fail(new Error('offline'));
  expect(await whenChecked()).toBe(false);
  expect(state()).toEqual({ images: [], checking: 0, problem: texts.networkError });
});
