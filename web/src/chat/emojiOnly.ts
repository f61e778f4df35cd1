const MOST = 3;

/** Older browsers do not know the class of whole emoji; there a message of emoji keeps its bubble. */
const wholeEmoji = (() => {
  try {
    return new RegExp(`^(?:\\p{RGI_Emoji}\\s*){1,${MOST}}$`, 'v');
  } catch {
    return undefined;
  }
})();

/** One to three emoji and nothing else: drawn large, without a bubble. */
export function isEmojiOnly(text: string): boolean {
  // The longest emoji are families and flags; a long text cannot be three of them.
  return text.length <= 64 && (wholeEmoji?.test(text.trim()) ?? false);
}
