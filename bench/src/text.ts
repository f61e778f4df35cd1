/** What everybody in the bench says: as long as a usual message. */
export const TEXT = 'Good evening, did you get the pictures that I sent you on Monday?';
