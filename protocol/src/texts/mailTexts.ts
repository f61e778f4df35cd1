/** The mails to visitors, and the page that ends them. `{name}` is the profile's name. */
export const mailTexts = {
  reply: {
    subject: 'There is a reply from {name}',
    text: 'There is a reply for you in your chat with {name}.',
    button: 'Open the chat',
    elsewhere: 'The link works in the browser where you chat.',
    noAnswer: 'Do not answer this mail; answer in the chat.',
    off: 'You get this mail because you left this address in the chat. To get no more mails:',
    offButton: 'No more mails about this chat',
  },
  code: {
    subject: '{code} is your code',
    text: 'Enter this code in your chat with {name}, to be told about replies by e-mail:',
    note: 'It is valid for {minutes, plural, one {# minute} other {# minutes}}. If you did not ask for it, ignore this mail.',
  },
  off: {
    title: 'No more mails',
    ask: 'Should we stop writing to you about this chat? The chat stays, and your address is deleted.',
    button: 'No more mails',
    done: 'We have deleted your address. You get no more mails about this chat.',
    invalid: 'This link is not complete. Use the link in the mail.',
  },
} as const;
