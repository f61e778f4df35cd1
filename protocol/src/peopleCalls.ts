/** About members of staff. */
export const peopleCalls = {} as const;
