import { createEmitter, createStore } from '../browser/createStore.ts';

/** What the panes of one console share. Created for each session and passed by context. */
export function createScreen() {
  return {
    /** The visitor's name or the page's title, for the window's title. Empty for the queue. */
    pageName: createStore(''),
    order: createShownOrder(),
    /** Inserts text at the composer's caret. Without an open composer, nothing happens. */
    insertText: createEmitter<[text: string]>(),
  };
}

export type Screen = ReturnType<typeof createScreen>;

const none: readonly string[] = [];

/** The conversations in the order in which the list shows them now. "Next" and "previous" follow it. */
export function createShownOrder() {
  const { get, set, subscribe } = createStore(none);
  return {
    get,
    subscribe,
    /** Listeners are called only if the order changed. */
    set(next: readonly string[]): void {
      const ids = get();
      if (next.length !== ids.length || next.some((id, index) => id !== ids[index])) set(next);
    },
    clear: (): void => set(none),
  };
}
