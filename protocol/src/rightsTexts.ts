/** What visitors and administrators read about taking a conversation home and erasing it. */
export const rightsTexts = {
  download: 'Download conversation',
  downloadNote: 'All messages, saved on this device. Pictures are listed by name.',
  downloadPage: 'To read (HTML)',
  downloadData: 'As data (JSON)',
  downloading: 'Preparing…',
  downloadFailed: "Couldn't prepare the download.",
  erase: 'Delete conversation',
  eraseTitle: 'Delete this conversation?',
  eraseNote:
    'All messages and pictures go, for you and for the other side, on every device. Your name and notifications for this chat go too. The link stops working.',
  eraseFinal: 'This cannot be undone.',
  eraseBusy: 'Deleting…',
  eraseFailed: "Couldn't delete the conversation.",
  eraseRefused: 'This conversation cannot be deleted from here. Please ask whoever sent you the link.',
  eraseNotHere: 'This device has no access to this conversation any more, so it cannot delete it.',
  erasedTitle: 'Conversation deleted',
  erasedNote: 'Messages, pictures and your name were erased. Nothing of it is left on this device.',

  manageErase: 'Erase',
  manageEraseTitle: 'Erase this conversation?',
  manageEraseNote:
    'Messages, pictures, notes, the visitor’s name and the invite’s label are erased for everybody, and the link stops working. The audit log keeps that it happened, not what was said.',
  manageEraseFinal: 'This cannot be undone.',
  manageErasing: 'Erasing…',
  manageErased: 'Conversation erased',
  manageEraseFailed: "Couldn't erase the conversation.",
  manageReason: 'Why',
  manageReasonNone: 'No reason given',
  manageReasons: {
    asked: 'The visitor asked for it',
    spam: 'Spam or abuse',
    mistake: 'Made by mistake',
  },

  termTitle: 'Keep conversations for a shorter time?',
  termErasesOne: '1 conversation will be erased within the hour.',
  termErasesMany: '{count} conversations will be erased within the hour.',
  termErasesNone: 'No conversation is that old yet. Each will be erased once it is.',
  termErase: 'Save and erase',
} as const;
