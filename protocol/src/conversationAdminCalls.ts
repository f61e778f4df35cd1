/** About conversations at every desk. */
export const conversationAdminCalls = {} as const;
