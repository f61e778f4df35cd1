type Listener = (conversationId: string, text: string) => void;

const listeners = new Set<Listener>();

/** A note has arrived whose writer has left its composer. A new one, opened meanwhile, has the words in its field. */
export function tellNoteArrived(conversationId: string, text: string): void {
  for (const listener of [...listeners]) listener(conversationId, text);
}

export function onNoteArrived(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
