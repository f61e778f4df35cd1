/** About the dashboard. */
export const dashboardCalls = {} as const;
