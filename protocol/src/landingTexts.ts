/** The landing page's own texts. */
export const landingTexts = {
  landingTitle: 'A seat for two, with someone everyone knows.',
  landingNote: 'Private conversations by invitation. Open the link you were sent to take your seat.',
  landingField: 'Invite link',
  landingPlaceholder: 'Paste your invite link',
  landingOpen: 'Open chat',
  landingInvalid: 'That isn’t an invite link for this site',
  landingHandler: 'Handler?',
  landingSignIn: 'Sign in to the console',
  landingEmpty: 'This installation has no administrator yet.',
  landingSetUp: 'Set it up',
} as const;
