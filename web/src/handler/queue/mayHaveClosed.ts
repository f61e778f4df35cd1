/** What is known of the open chats, and how often they were read as a whole. */
export type OpenKnown = { ids: readonly string[]; deskReads: number };

/**
 * Whether the list of closed chats may have grown: nobody tells of what was closed, but it has left the queue, or did
 * while the line was down.
 */
export function mayHaveClosed(before: OpenKnown, now: OpenKnown): boolean {
  if (before.deskReads > 0 && now.deskReads !== before.deskReads) return true;
  const still = new Set(now.ids);
  return before.ids.some((id) => !still.has(id));
}
