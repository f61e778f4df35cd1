import { errors } from '@settee/protocol/calls/errors';
import { texts } from '@settee/protocol/texts/texts';
import { expect, test } from 'vitest';
import { failureText } from './UploadBubble.tsx';

test('an upload that failed says why, unless it was only the connection', () => {
  expect(failureText(null)).toBe('Not sent.');
  expect(failureText(texts.networkError)).toBe('Not sent.');
  expect(failureText(texts.notSent)).toBe('Not sent.');
  expect(failureText(errors.image_limit.text)).toBe(
    'Not sent. That is enough images for today. Please send more tomorrow.',
  );
});
