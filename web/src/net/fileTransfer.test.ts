import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { putFile } from './fileTransfer.ts';

/** A connection that the test controls: no real server can stop between two bytes. */
class Line {
  static last: Line;
  upload: { onprogress?: (event: { loaded: number }) => void; onload?: () => void } = {};
  onloadend = () => {};
  status = 0;
  asked: string[] = [];
  withCredentials = true;
  open(method: string, url: string): void {
    this.asked.push(`${method} ${url}`);
  }
  setRequestHeader(name: string, value: string): void {
    this.asked.push(`${name}: ${value}`);
  }
  send(): void {
    Line.last = this;
  }
  abort(): void {
    this.onloadend();
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', Line);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function put() {
  const ended: string[] = [];
  const options = { type: 'image/png', onProgress: () => {}, signal: new AbortController().signal };
  void putFile('/store', new Blob(['0123456789']), options).then((result) => ended.push(result));
  const { upload } = Line.last;
  return { ended, moved: (loaded: number) => upload.onprogress?.({ loaded }), gone: () => upload.onload?.() };
}

test('[L-06] a file is sent with its type, and without a token or cookies', async () => {
  const { ended } = put();
  expect(Line.last.asked).toEqual(['PUT /store', 'content-type: image/png']);
  expect(Line.last.withCredentials).toBe(false);
  Line.last.status = 200;
  Line.last.onloadend();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(['stored']);
});

test('[L-06] a connection that carried bytes times out after half a minute of silence', async () => {
  const { ended, moved } = put();
  await vi.advanceTimersByTimeAsync(120_000);
  moved(3);
  await vi.advanceTimersByTimeAsync(29_000);
  moved(4);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ended).toEqual(['lost']);
});

test('[L-06] a fully sent upload has minutes to be confirmed', async () => {
  const { ended, moved, gone } = put();
  moved(10);
  gone();
  await vi.advanceTimersByTimeAsync(240_000);
  expect(ended).toEqual([]);
  Line.last.status = 200;
  Line.last.onloadend();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(['stored']);
  expect(vi.getTimerCount()).toBe(0);
});

test('[L-06] a connection without any progress times out too', async () => {
  const { ended } = put();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(ended).toEqual(['lost']);
});
