/** The mails to staff. `{name}` is the profile's name. */
export const accountMailTexts = {
  passwordLink: {
    subject: 'Choose your password for {name}',
    text: 'Choose your password with this link. It works once, within {hours, plural, one {# hour} other {# hours}}.',
    button: 'Choose a password',
    note: 'If you do not expect this mail, ask your administrator.',
  },
  waiting: {
    subject: 'Someone is waiting',
    text: 'Someone has been waiting for {minutes, plural, one {# minute} other {# minutes}}.',
    button: 'Open the console',
    note: 'You can turn off these mails in your account, under Security.',
  },
} as const;
