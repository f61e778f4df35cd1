/** Erasing conversations, for administrators. */
export const erasureTexts = {
  erase: 'Erase',
  eraseTitle: 'Erase this conversation?',
  eraseNote:
    'Messages, images, notes, the visitor’s name and the invite’s label are erased for everyone, and the link stops working. The audit log records that it happened, not what was said.',
  eraseFinal: 'This can’t be undone.',
  erased: 'Conversation erased',
  eraseFailed: 'Couldn’t erase the conversation.',
  reason: 'Reason',
  reasonNone: 'No reason given',
  reasons: {
    asked: 'The visitor asked for it',
    spam: 'Spam or abuse',
    mistake: 'Made by mistake',
  },

  termTitle: 'Keep conversations for less time?',
  termErases:
    '{count, plural, =0 {No conversation is that old yet. Each will be erased once it is.} one {# conversation will be erased within the hour.} other {# conversations will be erased within the hour.}}',
  termErase: 'Save and erase',
} as const;
