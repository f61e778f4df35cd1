import { expect, test } from 'vitest';
import { isEmojiOnly } from './emojiOnly.ts';

test('one to three emoji are large, also joined ones, flags and skin tones', () => {
  for (const text of ['😮', '😮😮', '❤️ 🎉 👍🏽', '👨‍👩‍👧‍👦', '🇩🇪🇫🇷', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '1️⃣']) {
    expect(isEmojiOnly(text), text).toBe(true);
  }
});

test('text, digits, four emoji and nothing are not large', () => {
  for (const text of ['', ' ', 'ok 👍', '123', '#', '😮😮😮😮', '😮.', 'é']) {
    expect(isEmojiOnly(text), text).toBe(false);
  }
});
