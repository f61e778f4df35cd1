/** E-mail in the console and the admin area. */
export const staffMailTexts = {
  title: 'E-mail',
  // A person's own account
  waiting: 'Write to me when someone has been waiting for 10 minutes',
  waitingHelp: 'At most every ten minutes, to {email}.',
  // The profile
  visitorMail: 'Visitors can get an e-mail about replies',
  visitorMailHelp:
    'A visitor can leave an address in the menu of the chat. The e-mail says only that there is a reply. Nobody here sees the address.',
  figures: 'E-mails of the last 30 days',
  thing: 'the e-mails',
  none: 'No e-mails yet.',
  kind: 'E-mail',
  last: 'Last problem',
  kinds: {
    passwordLink: 'Password links',
    code: 'Codes for visitors',
    reply: 'Replies to visitors',
    waiting: 'Waiting visitors',
  },
  outcomes: { sent: 'Sent', deferred: 'Tried again', refused: 'Refused', given_up: 'Given up' },
  // People
  linkSent: 'We have also sent it to {email}.',
} as const;
