/** The texts of a downloaded conversation, for administrators and visitors. */
export const transcriptTexts = {
  title: 'Conversation between {visitor} and {profile}',
  started: 'Started {when}',
  moment: '{day}, {time}',
  exported: 'Downloaded {when}',
  zone: 'Times are in {zone}.',
  image: 'Image: {name} ({size})',
  noMessages: 'No messages.',
} as const;
