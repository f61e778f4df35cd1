import { PREVIEW_MAX } from '@settee/protocol/model/conversation';
import { expect, test } from 'vitest';
import { previewOf } from './desk.ts';

test('the live preview is cut between characters, where the database cuts it', () => {
  expect(previewOf('short')).toBe('short');
  expect(previewOf(`${'a'.repeat(PREVIEW_MAX - 1)}🙂b`)).toBe(`${'a'.repeat(PREVIEW_MAX - 1)}🙂`);
  expect(previewOf('🙂'.repeat(2 * PREVIEW_MAX))).toBe('🙂'.repeat(PREVIEW_MAX));
});
