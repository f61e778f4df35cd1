import { expect, test } from 'vitest';
import { isEmojiOnly } from './emojiOnly.ts';

test('[OPEN-56] one to three emoji count as large, also joined ones, flags and skin tones', () => {
  for (const text of ['😮', '😮😮', '❤️ 🎉 👍🏽', '👨‍👩‍👧‍👦', '🇩🇪🇫🇷', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '1️⃣']) {
    expect(isEmojiOnly(text), text).toBe(true);
  }
});

test('[OPEN-56] words, digits, four emoji and nothing do not', () => {
  for (const text of ['', ' ', 'ok 👍', '123', '#', '😮😮😮😮', '😮.', 'é']) {
    expect(isEmojiOnly(text), text).toBe(false);
  }
});
