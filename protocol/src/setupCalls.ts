/** About the first run. */
export const setupCalls = {} as const;
