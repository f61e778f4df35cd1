/** Of a conversation on show: with us, told to be gone, and gone from the queue as well. */
export type Absence = 'here' | 'told' | 'left' | 'back';

/**
 * A conversation that was handed away can be given back. The news that it is gone may come before the queue's: only
 * one that was missing there has come back to it.
 */
export function absenceAfter(before: Absence, { gone, queued }: { gone: boolean; queued: boolean }): Absence {
  if (!gone) return 'here';
  if (!queued) return 'left';
  return before === 'left' || before === 'back' ? 'back' : 'told';
}
