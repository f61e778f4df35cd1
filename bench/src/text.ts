/** The text of every message of the benchmark, of typical length. */
export const TEXT = 'Good evening, did you get the pictures that I sent you on Monday?';

/** In the comparison with other products: 100 bytes. */
export const PEER_TEXT = `${TEXT} I should like to show them to Ann.`;
