/** About what a visitor may ask of their own conversation. */
export const rightsCalls = {} as const;
