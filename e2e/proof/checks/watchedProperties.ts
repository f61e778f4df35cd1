/** Properties of the events that the watchers recorded. */
export const watchedProperties = {
  revocation: 'whoever is signed out, removed or blocked notices it at every gateway within 5 s',
  presence: 'no visitor gets a wrong presence for more than 60 s',
  audit: 'the audit log is whole, and has every audited action exactly once',
  pushes: 'every due notification arrives in time, none for what was seen, and no two within 30 s',
  media: 'every image has a row and an object, and both sides can read it',
  figures: 'the dashboard shows the figures of the tables',
} as const;
export type WatchedProperty = keyof typeof watchedProperties;
