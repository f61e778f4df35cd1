/** The words of the public profile's own page. */
export const profileTexts = {
  thing: 'the public profile',
  preview: 'What visitors see',
  previewHeader: 'In a chat',
  previewUnclaimed: 'Before a chat',
  previewClosed: 'When a chat is closed',
  previewAway: 'Outside opening hours',

  picture: 'Profile picture',
  /** The specification's. */
  pictureHelp: 'Max 2 MB, square works best',
  pictureTooLarge: 'A profile picture has at most 2 MB',
  pictureUnreadable: 'This picture cannot be read. Please choose another.',
  choosePicture: 'Choose a picture',
  changePicture: 'Change picture',
  removePicture: 'Remove picture',
  noPicture: 'No picture: visitors see {initials}.',

  cropTitle: 'Crop the picture',
  cropHelp: 'Drag the picture, or move it with the arrow keys.',
  cropArea: 'Position of the picture',
  cropZoom: 'Zoom',
  cropUse: 'Use picture',

  profile: 'Profile',
  name: 'Name',
  nameHelp: 'What visitors read at the top of every chat.',
  nameLength: 'A profile’s name has 1 to 80 characters',
  verified: 'Verified',
  verifiedHelp: 'Shows a seal beside the name that says: {text}',
  disclosure: 'Disclosure line',
  disclosureHelp:
    'Stands where a chat begins. {name} stands for the profile’s name; an empty field shows no line.',
  disclosureLength: 'A disclosure line has at most 200 characters',
  disclosureReset: 'Use the usual words',

  voice: 'Your words',
  greeting: 'Greeting',
  greetingHelp:
    'Visitors see it in an empty chat, before anyone has written. A blank line starts a new bubble.',
  greetingExample: 'Hello! How can I help?',
  greetingLength: 'A greeting has at most 500 characters',
  farewell: 'Farewell',
  farewellHelp: 'Visitors see it when their chat is closed.',
  farewellExample: 'Thank you for stopping by.',
  farewellLength: 'A farewell has at most 300 characters',
  awayMessage: 'Away message',
  awayMessageHelp: 'Visitors see it outside opening hours, followed by when you are back.',
  setHours: 'Set opening hours',
  awayMessageLength: 'An away message has at most 200 characters',

  conversations: 'Conversations',
  reopenDays: 'Reopening window, in days',
  reopenHelp: 'For so long after it was closed, a visitor’s message reopens a conversation. 0 means never.',
  reopenRange: 'From 0 to 365 days',
  keep: 'Keep conversations',
  keepForever: 'For ever',
  keepSome: 'For a number of days',
  keepDays: 'Days to keep',
  visitorErase: 'Visitors may delete their conversation',
  visitorEraseHelp:
    'A blocked visitor never can. Lists keep an entry of what was deleted, without names or content.',
  keepHelp:
    'After so many days without a message, a conversation and its images are erased. An invite can say otherwise.',
  keepRange: 'From 1 to 3,650 days',

  waiting: 'Waiting visitors',
  waitingHelp: 'When the queue marks a visitor who has no answer yet. Visitors see nothing of it.',
  waitingMinutes: 'Amber from, in minutes',
  waitingLongMinutes: 'Red from, in minutes',
  waitingRange: 'From 1 to 1,440 minutes',
  waitingOrder: 'Red comes later than amber',

  leaveTitle: 'Leave without saving?',
  leaveNote: 'Your changes to the public profile are not saved.',
} as const;
