/** State of a shown conversation: here, reported gone, gone from the queue, or back. */
export type Absence = 'here' | 'reported' | 'left' | 'back';

/**
 * A conversation that was handed away can come back. It may be reported gone before it leaves the queue, so
 * only one that was missing there counts as back.
 */
export function absenceAfter(before: Absence, { gone, queued }: { gone: boolean; queued: boolean }): Absence {
  if (!gone) return 'here';
  if (!queued) return 'left';
  return before === 'left' || before === 'back' ? 'back' : 'reported';
}
