const MOST = 3;

/** The longest emoji are families and flags: a longer text cannot be three of them. */
const LONGEST = 64;

/** Drawn as a picture by itself, or told to be one. The class of whole emoji takes 30 ms to compile; this takes none. */
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u;
const WORDS = /[\p{L}\p{P}]/u;

/** One to three emoji and nothing else: drawn large, without a bubble. */
export function isEmojiOnly(text: string): boolean {
  if (text.length > LONGEST || !EMOJI.test(text) || WORDS.test(text.replace(/[#*]\uFE0F/g, ''))) return false;
  // Where a browser cannot tell signs apart, a message of emoji keeps its bubble.
  if (!('Segmenter' in Intl)) return false;
  const signs = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment.trim()).filter(Boolean);
  return signs.length <= MOST && signs.every((sign) => EMOJI.test(sign));
}
