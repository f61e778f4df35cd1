/** In about one message of three. */
export const COMMON = 'thanks';
/** In about one message of four hundred. */
export const UNCOMMON = 'invoice';
/** Every this many messages of a conversation, one has a word of its own. */
export const RARE_EVERY = 8;

const PHRASES = 4_000;
const VOCABULARY = 20_000;
const WORDS_MAX = 14;

/** The same in every run. The first words of the vocabulary are far more frequent than the last. */
export function phrases(): string[] {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: PHRASES }, (_, n) => {
    const words = Array.from(
      { length: 2 + Math.floor(random() * WORDS_MAX) },
      () => `w${Math.floor(VOCABULARY ** random()).toString(36)}`,
    );
    if (n % 3 === 0) words.push(COMMON);
    if (n % 400 === 1) words.push(UNCOMMON);
    return words.join(' ');
  });
}
