/*
 * The menu opens what the bell shows. Both are loaded after the page, so they meet here: through the page they would
 * cost its first script.
 */
const listeners = new Set<() => void>();

export function onPanelRequested(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function canRequestPanel(): boolean {
  return listeners.size > 0;
}

/** Deferred, because a press outside the panel closes it. */
export function requestPanel(): void {
  setTimeout(() => {
    for (const listener of listeners) listener();
  });
}
