/** The block dialog, in the console and in the admin area. */
export const blockTexts = {
  reason: 'Reason',
  reasonOptional: 'Reason (optional)',
  reasonHint: 'Only staff see it.',
  howLong: 'For how long',
  forever: 'Until unblocked',
  hours: { 1: '1 hour', 24: '1 day', 168: '7 days', 720: '30 days' },
  blockReason: 'Block reason',
  blocked: 'Blocked',
  until: 'until {time}',
  untilUnblocked: 'until you unblock it',
  noReason: 'None given',
} as const;
