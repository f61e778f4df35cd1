type Listener = (key: string, words: string) => void;

const listeners = new Set<Listener>();

/** Words are safe whose writer has left the composer. A new one, opened meanwhile, has them in its field. */
export function notifyDraftSaved(key: string, words: string): void {
  for (const listener of [...listeners]) listener(key, words);
}

export function onDraftSaved(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
