/** Downloading and erasing a conversation, for visitors and administrators. */
export const rightsTexts = {
  download: 'Download conversation',
  downloadNote: 'All messages, saved on this device. Images are listed by name.',
  downloadPage: 'Readable page (HTML)',
  downloadData: 'Data (JSON)',
  downloading: 'Preparing…',
  downloadFailed: "Couldn't prepare the download.",
  erase: 'Delete conversation',
  eraseTitle: 'Delete this conversation?',
  eraseNote:
    'Deletes every message and image for both of you, on every device, with your name and notifications. The link stops working.',
  eraseFinal: 'This can’t be undone.',
  eraseBusy: 'Deleting…',
  eraseFailed: "Couldn't delete the conversation.",
  eraseRefused: 'This conversation can’t be deleted here. Please ask whoever sent you the link.',
  eraseNotHere: 'This device no longer has access to this conversation, so it can’t delete it.',
  erasedTitle: 'Conversation deleted',
  erasedNote: 'Your messages, images and name are gone. Nothing is left on this device.',

  manageErase: 'Erase',
  manageEraseTitle: 'Erase this conversation?',
  manageEraseNote:
    'Messages, images, notes, the visitor’s name and the invite’s label are erased for everyone, and the link stops working. The audit log records that it happened, not what was said.',
  manageEraseFinal: 'This can’t be undone.',
  manageErased: 'Conversation erased',
  manageEraseFailed: "Couldn't erase the conversation.",
  manageReason: 'Reason',
  manageReasonNone: 'No reason given',
  manageReasons: {
    asked: 'The visitor asked for it',
    spam: 'Spam or abuse',
    mistake: 'Made by mistake',
  },

  termTitle: 'Keep conversations for less time?',
  termErasesOne: '1 conversation will be erased within the hour.',
  termErasesMany: '{count} conversations will be erased within the hour.',
  termErasesNone: 'No conversation is that old yet. Each will be erased once it is.',
  termErase: 'Save and erase',
} as const;
