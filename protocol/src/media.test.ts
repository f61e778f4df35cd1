import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IMAGE_MAX_BYTES, IMAGE_TYPES, imageProblem, mediaPath } from './media.ts';

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

test("[D-10] no file name leaves the conversation's own folder, or shows in the path", () => {
  const parts = fc.constantFrom('/', '..', '.', '\\', '%2f', '\0', 'png', 'Ada', ' ');
  fc.assert(
    fc.property(fc.array(fc.oneof(parts, fc.string({ unit: 'binary' }))), (pieces) => {
      const path = mediaPath({ ...at, fileName: pieces.join('') });
      expect(path.startsWith(start)).toBe(true);
      expect(path.slice(start.length)).toMatch(/^[a-z0-9]{1,8}$/);
    }),
  );
});

test('[C-03] [C-04] the four image types, under 10 MB', () => {
  expect(IMAGE_TYPES).toEqual(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
  expect(IMAGE_MAX_BYTES).toBe(10_485_760);
});

test.each([
  ['image/jpeg', 1, undefined],
  ['image/webp', IMAGE_MAX_BYTES - 1, undefined],
  ['image/gif', IMAGE_MAX_BYTES, 'image_size'],
  ['image/png', 0, 'image_type'],
  ['image/svg+xml', 1, 'image_type'],
  ['image/heic', IMAGE_MAX_BYTES, 'image_type'],
  ['', 1, 'image_type'],
])('[C-03] [C-04] %s of %d bytes: %s', (type, bytes, problem) => {
  expect(imageProblem({ type, bytes })).toBe(problem);
});
