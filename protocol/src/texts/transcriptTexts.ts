/** What a downloaded conversation says besides its messages: the same to administrators and to the visitor. */
export const transcriptTexts = {
  title: 'Conversation between {visitor} and {profile}',
  started: 'Started {when}',
  exported: 'Downloaded {when}',
  zone: 'Times are in {zone}.',
  image: 'Image: {name} ({size})',
  noMessages: 'No messages.',
} as const;
