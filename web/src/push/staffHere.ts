import { find, forget, keep } from './kept.ts';

const KEY = 'staff';

/*
 * Who is signed in to the console of this browser. The worker sends a reply in nobody else's name, and in nobody's at
 * all once they have left, also while the server has not yet heard of that.
 */

export function rememberStaff(staffId: string): Promise<void> {
  return keep(KEY, staffId);
}

export function forgetStaff(): Promise<void> {
  return forget(KEY);
}

export function findStaff(): Promise<string | undefined> {
  return find(KEY);
}
