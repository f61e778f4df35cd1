/** About a member of staff’s own account. */
export const accountCalls = {} as const;
