/** Texts that no script shows: the preview card of a shared link, and the page without its script. */
export const pageTexts = {
  /** The reader of the card may not be the recipient of the link, so it names neither side of the chat. */
  cardTitle: 'A private conversation',
  cardNote: 'Open this link to take your seat.',
  noScript: 'This chat needs JavaScript. Switch it on, then refresh this page.',
} as const;
