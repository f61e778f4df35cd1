import { find, forgetOnly, keep } from './kept.ts';

const KEY = 'staff';

/*
 * Who is signed in to the console of this browser. The worker sends a reply in nobody else's name, and in nobody's at
 * all once they have left, also while the server has not yet heard of that.
 */

export function rememberStaff(staffId: string): Promise<void> {
  return keep(KEY, staffId);
}

/** Whoever has signed in since, in another tab, stays. */
export function forgetStaff(staffId: string): Promise<void> {
  return forgetOnly(KEY, staffId);
}

export function findStaff(): Promise<string | undefined> {
  return find(KEY);
}
