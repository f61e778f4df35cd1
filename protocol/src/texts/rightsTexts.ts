/** Downloading and erasing a conversation, for visitors. Administrators see some of them too. */
export const rightsTexts = {
  download: 'Download conversation',
  downloadNote: 'All messages, saved on this device. Images are listed by name.',
  downloadPage: 'Readable page (HTML)',
  downloadData: 'Data (JSON)',
  downloading: 'Preparing…',
  downloadFailed: 'Couldn’t prepare the download.',
  erase: 'Delete conversation',
  eraseTitle: 'Delete this conversation?',
  eraseNote:
    'Deletes every message and image for both of you, on every device, with your name and notifications. The link stops working.',
  eraseFinal: 'This can’t be undone.',
  eraseBusy: 'Deleting…',
  eraseFailed: 'Couldn’t delete the conversation.',
  eraseRefused: 'This conversation can’t be deleted here. Please ask whoever sent you the link.',
  eraseNotHere: 'This device no longer has access to this conversation, so it can’t delete it.',
  erasedTitle: 'Conversation deleted',
  erasedNote: 'Your messages, images and name are gone. Nothing is left on this device.',
} as const;
