/** About invites, as administrators manage them. */
export const inviteAdminCalls = {} as const;
