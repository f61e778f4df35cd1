/** Words of the pages themselves, which no script shows: the card of a shared link, and what stands in for the script. */
export const pageTexts = {
  /** Whoever sees the card may not be who the link is for: it tells neither whose chat it is nor with whom. */
  cardTitle: 'A private conversation',
  cardNote: 'Open this link to take your seat.',
  noScript: 'This chat needs JavaScript. Switch it on, then refresh this page.',
} as const;
