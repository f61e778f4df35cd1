/** Deleted conversations in lists. */
export const deletedTexts = {
  title: 'Deleted conversations',
  count: 'Deleted ({count})',
  by: {
    visitor: 'Deleted by the visitor',
    staff: 'Deleted by an administrator',
    retention: 'Deleted after its retention period',
  },
  note: 'No names and no messages are kept. Entries go after 90 days.',
} as const;
