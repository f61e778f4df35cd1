import { deleteIfEqual, getValue, putValue } from './keyValueStore.ts';

const KEY = 'staff';

/*
 * Who is signed in to the console of this browser. The worker sends a reply only in their name, and none after they
 * sign out, even if the server does not know about the sign-out yet.
 */

export function saveSignedInStaff(staffId: string): Promise<void> {
  return putValue(KEY, staffId);
}

/** Does nothing if another person has signed in meanwhile, in another tab. */
export function clearSignedInStaff(staffId: string): Promise<void> {
  return deleteIfEqual(KEY, staffId);
}

export function findSignedInStaff(): Promise<string | undefined> {
  return getValue(KEY);
}
