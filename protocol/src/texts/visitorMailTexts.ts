/** The visitor's form for an e-mail address. Loaded with the form. */
export const visitorMailTexts = {
  // Also in the menu, and outside the opening hours
  title: 'Get an e-mail about replies',
  note: 'We write to you when there is a reply and this page is closed. The mail contains no message. Only this chat uses the address, and the team cannot see it.',
  address: 'Your e-mail address',
  send: 'Send code',
  sending: 'Sending...',
  codeTitle: 'Enter the code',
  codeNote: 'We have sent a code with 6 digits to {address}. It may take some minutes.',
  codeAgain: 'We have sent a new code to {address}.',
  code: 'Code',
  confirm: 'Confirm',
  confirming: 'Confirming...',
  sendAgain: 'Send a new code',
  otherAddress: 'Use another address',
  on: 'When there is a reply, we write to {address}.',
  refused: 'The mail server of this address refused our mail. Check the address.',
  remove: 'Remove the address',
  removing: 'Removing...',
  done: 'Done',
  cancel: 'Cancel',
  addressInvalid: 'Enter an e-mail address, such as name@example.com.',
  codeInvalid: 'The code has 6 digits.',
  codeWrong: 'This code is not correct.',
  codeExpired: 'This code is not valid any more. Get a new one.',
  failed: 'This did not work. Try again.',
  // The page that a mail leads to, in a browser without the chat
  elsewhereTitle: 'Open your chat',
  elsewhereNote:
    'This browser does not have your chat. Open it in the browser where you started it, or with your invite link and a code.',
} as const;
