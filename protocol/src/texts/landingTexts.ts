/** The landing page's own texts. */
export const landingTexts = {
  landingTitle: 'A seat for two, with someone everyone knows.',
  landingNote: 'Private conversations by invitation. Open the link you were sent to take your seat.',
  landingField: 'Invite link',
  landingPlaceholder: 'Paste your invite link',
  landingOpen: 'Open chat',
  landingInvalid: 'That isn’t an invite link for this site',
  landingHandler: 'Handler?',
  landingSignIn: 'Sign in',
  landingPrivate: 'Private, one to one',
  landingNoAccount: 'No account needed',
  landingFoot: 'Self-hosted with Settee. No trackers, no third parties.',
  /** Describes the picture: one chat from both sides. */
  landingPicture: 'One conversation from both sides: Jonas on his phone, and the team at its desk.',
  landingSays1: 'Hi Jonas, good to see you here. What’s on your mind?',
  landingSays2: 'My class read your letter on Friday. They’d love to know how it ends.',
  landingSaysNote: 'Jonas teaches year 10. Ana',
  landingSays3: 'Tell them I’m still writing it.',
  landingSays4: 'They’ll be the first to know.',
  landingEmpty: 'This installation has no administrator yet.',
  landingSetUp: 'Set it up',
} as const;
