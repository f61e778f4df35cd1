import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOr } from '../../../tools/fullSize.ts';
import { cleanFileName, IMAGE_MAX_BYTES, IMAGE_TYPES, imageProblem, mediaPath } from './media.ts';

fc.configureGlobal({ seed: seedOr(Date.now) });

const at = {
  conversationId: '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  randomId: 'r4nd0m',
  timestamp: 1_700_000_000_000,
};
const start = `conversations/${at.conversationId}/media/r4nd0m_1700000000000.`;

test.each([
  ['cat.png', 'png'],
  ['CAT.JPEG', 'jpeg'],
  ['archive.tar.gz', 'gz'],
  ['no extension', 'jpg'],
  ['', 'jpg'],
  ['.', 'jpg'],
  ['trailing.', 'jpg'],
  ['sly.png/../../etc', 'jpg'],
  ['sly.p\u202eng', 'jpg'],
  ['long.extension9', 'jpg'],
])('[D-10] %j is stored with the extension %j', (fileName, extension) => {
  expect(mediaPath({ ...at, fileName })).toBe(start + extension);
});

test('[D-10] no file name leaves the conversation’s folder, or shows in the path', () => {
  const parts = fc.constantFrom('/', '..', '.', '\\', '%2f', '\0', 'png', 'Ada', ' ');
  fc.assert(
    fc.property(fc.array(fc.oneof(parts, fc.string({ unit: 'binary' }))), (pieces) => {
      const path = mediaPath({ ...at, fileName: pieces.join('') });
      expect(path.startsWith(start)).toBe(true);
      expect(path.slice(start.length)).toMatch(/^[a-z0-9]{1,8}$/);
    }),
  );
});

test('[D-10] a file name is cut to its last 120 characters, and never inside a character', () => {
  expect(cleanFileName(`C:\\holiday/${'a'.repeat(200)}.png`)).toBe(`${'a'.repeat(116)}.png`);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 100 }), (name) => {
      const clean = cleanFileName(name);
      expect(clean.isWellFormed() && clean.length <= 120 && clean === clean.trim()).toBe(true);
    }),
  );
  expect(cleanFileName(`😀${'a'.repeat(119)}`)).toBe(`\uFFFD${'a'.repeat(119)}`);
});

test('[C-03] the four image types are accepted, and no other spelling of them', () => {
  for (const type of ['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
    expect(imageProblem({ type, bytes: 1 })).toBeUndefined();
  for (const type of ['image/svg+xml', 'image/avif', 'image/PNG', 'image/png;a=b', 'text/html', ''])
    expect(imageProblem({ type, bytes: 1 })).toBe('image_type');
  expect(IMAGE_TYPES).toHaveLength(4);
});

test('[C-04] an image has at least one byte and fewer than 10 MB', () => {
  expect(IMAGE_MAX_BYTES).toBe(10_485_760);
  const problem = (bytes: number) => imageProblem({ type: 'image/png', bytes });
  expect([1, 10_485_759].map(problem)).toEqual([undefined, undefined]);
  expect([0, 10_485_760, 10_485_761].map(problem)).toEqual(['image_size', 'image_size', 'image_size']);
});
