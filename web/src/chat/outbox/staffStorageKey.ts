/** The owner of a staff member's unsent texts and files. The next person who signs in neither reads nor sends them. */
export function staffStorageKey(staffId: string): string {
  return `owner-${staffId}`;
}
