import { expect, test } from 'vitest';
import type { Entry } from './entries.ts';
import { focusableEntry } from './focusableEntry.ts';

const words = (key: string) => ({ key, text: key }) as Entry;
const file = (key: string, mediaType: string) => ({ key, media: { mediaType } }) as Entry;

test('Tab reaches the newest message, text or image; a video has its own stop', () => {
  expect(focusableEntry([])).toBeUndefined();
  expect(focusableEntry([file('a', 'image/png'), words('b')])?.key).toBe('b');
  expect(focusableEntry([words('a'), file('b', 'image/png')])?.key).toBe('b');
  expect(focusableEntry([words('a'), file('b', 'video/mp4')])?.key).toBe('a');
});
