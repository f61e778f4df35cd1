/** The text of every message of the benchmark, of typical length. */
export const TEXT = 'Good evening, did you get the pictures that I sent you on Monday?';
