/** Only the console draws these. */
export const bolt = ['M13 3.5 5.5 13.5H11l-1 7 7.500-10H12z'];
