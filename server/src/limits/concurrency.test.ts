import { expect, test } from 'vitest';
import { Coalescer, forEachConcurrently, Limiter, withTimeout } from './concurrency.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a limiter runs a limited number of tasks at once, in order', async () => {
  const limiter = new Limiter(2);
  const started: number[] = [];
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const all = gates.map((gate, index) =>
    limiter.run(async () => {
      started.push(index);
      await gate.promise;
    }),
  );
  await turn();
  expect(started).toEqual([0, 1]);
  gates[1]?.resolve();
  await turn();
  expect(started).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  await Promise.all(all);
  expect(started).toEqual([0, 1, 2, 3]);
});

test('a limiter of one keeps going after a failure', async () => {
  const limiter = new Limiter(1);
  const failing = limiter.run(() => Promise.reject(new Error('broken')));
  const next = limiter.run(async () => 'next');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
});

test('requests during a run share one more run', async () => {
  const coalescer = new Coalescer<number>();
  let runs = 0;
  const gate = Promise.withResolvers<void>();
  const task = async () => {
    runs += 1;
    const run = runs;
    if (run === 1) await gate.promise;
    return run;
  };
  const answers = [coalescer.run(task), coalescer.run(task), coalescer.run(task)];
  expect(coalescer.isRunning()).toBe(true);
  gate.resolve();
  expect(await Promise.all(answers)).toEqual([2, 2, 2]);
  expect(coalescer.isRunning()).toBe(false);
  expect(await coalescer.run(task)).toBe(3);
});

test('after a failure nothing new starts, and running tasks finish first', async () => {
  const done: number[] = [];
  const acting = forEachConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
    if (item === 1) throw new Error('broken');
    await turn();
    done.push(item);
  });
  await expect(acting).rejects.toThrow('broken');
  expect(done).toEqual([2]);
});

test('a promise that takes too long is rejected', async () => {
  await expect(withTimeout(5, new Promise(() => {}))).rejects.toThrow('no answer within 5 ms');
  expect(await withTimeout(1_000, Promise.resolve('answer'))).toBe('answer');
});
