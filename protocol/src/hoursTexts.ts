/** The opening hours page, and what visitors read outside the hours. */
export const hoursTexts = {
  thing: 'the opening hours',
  order: 'Hours must end after they begin, and must not overlap',
} as const;
