import { deleteIfEqual, getValue, putValue } from './keyValueStore.ts';

const KEY = 'staff';

/*
 * Who is signed in to the console of this browser. The worker sends a reply in nobody else's name, and in nobody's at
 * all once they have left, also while the server has not yet heard of that.
 */

export function saveSignedInStaff(staffId: string): Promise<void> {
  return putValue(KEY, staffId);
}

/** Whoever has signed in since, in another tab, stays. */
export function clearSignedInStaff(staffId: string): Promise<void> {
  return deleteIfEqual(KEY, staffId);
}

export function findSignedInStaff(): Promise<string | undefined> {
  return getValue(KEY);
}
