/** Two columns of four. */
export const CARDS_PER_PAGE = 8;

/** More than one batch's worth of paper is a job for a printer's own software, which takes the CSV file. */
export const SHEET_MAX = 500;

export function pagesOf<T>(invites: readonly T[]): T[][] {
  const pages: T[][] = [];
  for (let from = 0; from < invites.length; from += CARDS_PER_PAGE)
    pages.push(invites.slice(from, from + CARDS_PER_PAGE));
  return pages;
}
