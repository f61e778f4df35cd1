const MOST = 3;

/** The longest emoji are families and flags. A longer text has more than three. */
const LONGEST = 64;

/** Characters shown as emoji. The regular expression for all emoji takes 30 ms to compile. */
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u;
/** Without the signs that become emoji, as in ‼️ and ℹ️. */
const WORDS = /[\p{L}\p{P}](?!\uFE0F)/u;

/** Whether the text is one to three emoji, which are shown large without a bubble. */
export function isEmojiOnly(text: string): boolean {
  if (text.length > LONGEST || !EMOJI.test(text) || WORDS.test(text)) return false;
  // Without Intl.Segmenter, emoji keep their bubble.
  if (!('Segmenter' in Intl)) return false;
  const signs = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment.trim()).filter(Boolean);
  return signs.length <= MOST && signs.every((sign) => EMOJI.test(sign));
}
