/** About the public profile and the settings. */
export const profileCalls = {} as const;
