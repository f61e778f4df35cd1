import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pace } from './pace.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('a backup rests for as long as it worked, and passes every byte on in order', async () => {
  const pace = new Pace();
  const passed: string[] = [];
  pace.on('data', (chunk: Buffer) => passed.push(chunk.toString()));
  const write = (text: string) => void pace.write(Buffer.from(text));

  write('a');
  await vi.advanceTimersByTimeAsync(5);
  write('b');
  expect(passed).toEqual(['a', 'b']);
  // The database needs 40 ms for the next rows.
  await vi.advanceTimersByTimeAsync(40);
  write('c');
  write('d');
  await vi.advanceTimersByTimeAsync(44);
  expect(passed).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(1);
  expect(passed).toEqual(['a', 'b', 'c', 'd']);
});
