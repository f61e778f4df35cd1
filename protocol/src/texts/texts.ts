/**
 * The texts of the visitor's page and the server. consoleTexts, landingTexts, pageTexts and others have the texts of
 * other pages. Each text exists once, and screens, server and tests use it by name.
 */
export const texts = {
  // The public profile
  brandDefaultName: 'Settee',
  verifiedTooltip: 'This is the official profile.',
  online: 'Online',
  offline: 'Typically replies in a few minutes',
  nobodyHere: 'Nobody is here right now',

  // Invite
  inviteErrorTitle: 'Unable to access chat',
  inviteNotFound: 'Invite not found',
  inviteExpired: 'This invite link has expired',
  inviteRevoked: 'This invite link has been revoked',
  inviteHelp: 'Check the link, or ask for a new one.',
  inviteLoadFailed: 'Failed to load invite',
  cookiesBlocked:
    'This browser blocks cookies. The chat needs one to know you again. Allow cookies for this site, then try again.',
  needsHttps: 'This chat needs a secure address. Open the link with https:// at its start.',
  goToHome: 'Go to Home',
  unclaimedTitle: 'Start a conversation',
  unclaimedNote: 'Private, one to one. No account needed.',
  startChat: 'Start chat',
  startChatBusy: 'Starting chat...',

  // Continue code
  codeTitle: 'Continue this chat',
  codeHint: 'Enter the 4-digit code from your other device',
  codeSubmit: 'Continue',
  codeBusy: 'Verifying...',
  codeCancel: 'Cancel',
  /** The server's text. The page shows codeWrong instead. */
  codeInvalid: 'Invalid code. Please try again.',
  codeWrong: "That code doesn't match. Try again",
  codeFailed: 'Failed to verify code',
  codeRequired: 'Continue code required',
  codeWhere:
    'You’ll find the code at the top of the chat in your other browser or device, or in its menu under “Continue in another browser or device”.',
  enterCode: 'Already chatting in another browser or device? Enter code',
  networkError: 'Network error',
  tryHelp: 'Check your connection, then try again.',
  codeBanner: 'Continue on another device:',
  codeCopied: 'Code copied!',
  codeLocked: 'Too many wrong codes were entered. Make a new code in the menu.',
  codeRenewFailed: 'Couldn’t make a code. Try again in a moment.',
  newCode: 'New code',
  copy: 'Copy',
  copyOf: 'Copy: {text}',
  dismiss: 'Dismiss',

  // Name
  nameTitle: 'What should I call you?',
  nameNote: 'A first name is plenty.',
  seatFree: 'The other seat is yours.',
  nameLabel: 'Display Name',
  nameSubmit: 'Start Chatting',
  nameBusy: 'Saving...',
  nameTooShort: 'Name must be at least 2 characters',
  nameTooLong: 'Name must be under 40 characters',
  nameHasContact: "Please don't include emails or links",
  nameReserved: 'Please enter your own name.',
  nameFailed: 'Failed to save name',

  // Claim and attach
  claimFailed: 'Failed to create conversation',
  attachFailed: 'Failed to attach to conversation',

  // Conversation
  privateNote: 'A private conversation. Keep this link to yourself.',
  visitorEmpty: 'Start the conversation',
  visitorPlaceholder: 'Message...',
  sending: 'Sending...',
  sent: 'Sent',
  seen: 'Seen',
  seenAt: 'Seen {time}',
  notSent: 'Not sent.',
  tryAgain: 'Try again',
  connecting: 'Connecting...',
  offlineBanner: 'You’re offline. Messages will send when you’re back.',
  historyOffline: 'Earlier messages show when you’re online.',
  backOnline: 'Back online',
  closedTitle: 'This conversation is closed',
  closedNote: 'You can still read it here on this device.',
  reopenNote: 'This conversation was closed. Sending a message reopens it.',
  invalidDate: 'Invalid Date',
  messageTooLong: 'Too long to send. Shorten it, or send it in parts.',
  send: 'Send',
  messages: 'Messages',
  messageFrom: '{name}, {time}',
  messagesLoading: 'Loading messages...',
  isTyping: '{name} is typing',
  newDivider: 'New',
  newMessages: '{count, plural, one {# new message} other {# new messages}}',
  toNewest: 'Go to the newest message',
  copied: 'Copied',
  you: 'You',
  // For screen readers
  announceSending: 'Message on its way',
  announceSent: 'Message delivered',
  announceSeen: 'Message read',
  announceFailed: 'Message not delivered',
  announceMessage: '{name}: {text}',
  announceBoth: '{first}. {second}',
  justNow: 'Just now',
  minutesAgo: '{count}m ago',
  hoursAgo: '{count}h ago',
  daysAgo: '{count}d ago',
  today: 'Today',
  yesterday: 'Yesterday',
  pageBroken: 'Something went wrong on this page.',
  pageOutdated: 'This page is out of date.',
  tooManyTabs: 'This chat is open in too many places. Close some of them, then refresh this page.',
  signedOutHere: 'This device no longer has access to this chat.',

  // The visitor's menu
  more: 'More',
  changeName: 'Change name',
  anotherDevice: 'Continue in another browser or device',
  anotherDeviceCode: 'Continue in another browser or device, {code}',
  sound: 'Sound for new messages',
  theme: 'Theme',
  themeSystem: 'System',
  themeLight: 'Light',
  themeDark: 'Dark',
  language: 'Language',
  languageNote: 'Messages stay in the language they were written in.',

  // Profile view
  authErrorShort: 'Auth Error',
  authErrorNote: 'We couldn’t sign you in. Check your connection.',
  checkingStatus: 'Checking status...',

  // Notifications
  notifications: 'Notifications',
  noticesOffer: 'Get notified while this tab is open',
  noticesOn: 'Notifications are on while this tab is open',
  enable: 'Enable',
  disable: 'Disable',
  noticesBlocked: 'Notifications Blocked',
  noticesUnblock: [
    'Click the lock icon beside the address',
    'Select Allow for notifications',
    'Refresh this page',
  ],
  unblockTap: 'Tap the lock icon beside the address',
  noticesUnsupported: 'Notifications not supported in this browser',
  noticesDenied: 'Notification permission denied',
  noticeBody: 'New message',

  // Images
  imageWrongType: 'Please select a valid image file (JPEG, PNG, GIF, or WebP)',
  imageTooLarge: 'File size must be less than 10MB',
  addImage: 'Send an image',
  image: 'Image',

  // Sign-in
  notAuthenticated: 'User not authenticated',
  signInFailed: 'Failed to sign in',
  accessDenied: 'Access denied. Handler or admin role required.',
  authFailed: 'Failed to authenticate',
  conversationNotFound: 'Conversation not found',

  // Pages
  refreshPage: 'Refresh Page',
  retry: 'Retry',
  save: 'Save',
  notFoundTitle: 'Nobody’s sitting here',
  notFoundNote: 'This page doesn’t exist.',
  /** The administrator can change it; {name} is the profile's name. */
  disclosure: 'Replies come from {name} or their team.',
  loading: 'Loading...',
  /** {time} is one of the next three. */
  usualReply: 'Usually replies within {time}',
  replyMinutes: '{count, plural, one {a minute} other {# minutes}}',
  replyHours: '{count, plural, one {an hour} other {# hours}}',
  replyDays: '{count, plural, one {a day} other {# days}}',
  backToday: 'Back at {time}',
  backTomorrow: 'Back tomorrow at {time}',
  /** {day} is a day of the week. */
  back: 'Back {day} at {time}',
  backOn: 'Back {date} at {time}',
  /** Outside opening hours, if the administrator wrote no other text. */
  away: 'We’re away right now. Leave a message and we’ll get back to you.',
} as const;
