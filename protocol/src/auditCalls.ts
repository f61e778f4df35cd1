/** About the audit log. */
export const auditCalls = {} as const;
