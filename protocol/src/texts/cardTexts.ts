/** On the printed cards. Their readers are visitors, so the language is chosen when they are printed. */
export const cardTexts = {
  call: 'Scan to take your seat',
  note: 'Private, one to one.',
  noteMore: 'No account needed.',
} as const;
