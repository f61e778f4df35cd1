/** Properties of the events that the watchers recorded. */
export const watchedProperties = {
  revocation: 'whoever is signed out, removed or blocked loses every socket, or is told, within 5 s',
  presence: 'no visitor is told a wrong presence for more than 60 s',
  audit: 'the audit log is whole, and has every audited action exactly once',
  figures: 'the dashboard shows the figures of the tables',
} as const;
export type WatchedProperty = keyof typeof watchedProperties;
