import { expect, test } from 'vitest';
import { SearchQueue, type SearchRun } from '../src/actions/search/searchQueue.ts';

type Running = { name: string; turn: SearchRun; end: () => void };

/** Searches that run until the test ends them. */
function searches() {
  const queue = new SearchQueue();
  const running: Running[] = [];
  const start = (session: string, name = session) =>
    queue.run(
      session,
      (turn) =>
        new Promise<string>((resolve) => {
          const own: Running = {
            name,
            turn,
            end() {
              running.splice(running.indexOf(own), 1);
              resolve(`found ${name}`);
            },
          };
          running.push(own);
        }),
    );
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const names = async () => {
    await settled();
    return running.map(({ name }) => name);
  };
  return { start, running, names };
}

test('three searches run at once, the others in order', async () => {
  const { start, running, names } = searches();
  const answers = ['a', 'b', 'c', 'd', 'e'].map((session) => start(session));
  expect(await names()).toEqual(['a', 'b', 'c']);
  running[1]?.end();
  expect(await names()).toEqual(['a', 'c', 'd']);
  while ((await names()).length > 0) running[0]?.end();
  expect(await Promise.all(answers)).toEqual(['found a', 'found b', 'found c', 'found d', 'found e']);
});

test('of one session only the newest search counts, and one runs at a time', async () => {
  const { start, running, names } = searches();
  const [first, second, third] = [start('a', 'p'), start('a', 'pa'), start('a', 'par')];
  expect(await names()).toEqual(['p']);
  expect(running[0]?.turn.outdated).toBe(true);
  // It never started, and returns at once.
  expect(await second).toBeUndefined();
  const other = start('b');
  expect(await names()).toEqual(['p', 'b']);
  running[0]?.end();
  expect(await first).toBe('found p');
  expect(await names()).toEqual(['b', 'par']);
  expect(running[1]?.turn.outdated).toBe(false);
  for (const each of [...running]) each.end();
  expect(await Promise.all([third, other])).toEqual(['found par', 'found b']);
});

test('a search that fails frees its place, and a full queue is reported', async () => {
  const queue = new SearchQueue();
  for (let n = 0; n < 5; n += 1)
    await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const { start, running, names } = searches();
  const answers = Array.from({ length: 23 }, (_, n) => start(`s${n}`));
  await expect(start('one more')).rejects.toMatchObject({ code: 'too_many' });
  while ((await names()).length > 0) running[0]?.end();
  expect(await Promise.all(answers)).toHaveLength(23);
});
