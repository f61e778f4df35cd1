const listeners = new Set<(text: string) => void>();

/** Puts words where the composer on show has its caret. Without a composer they go nowhere. */
export function insertText(text: string): void {
  for (const listener of [...listeners]) listener(text);
}

export function onInsertText(listener: (text: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
