/** Listeners may subscribe or unsubscribe while they are called. */
export function createEmitter<Args extends unknown[] = []>() {
  const listeners = new Set<(...args: Args) => void>();
  return {
    subscribe(listener: (...args: Args) => void) {
      listeners.add(listener);
      return (): void => void listeners.delete(listener);
    },
    emit(...args: Args): void {
      for (const listener of [...listeners]) listener(...args);
    },
    clear: () => listeners.clear(),
  };
}

/** A value with listeners. Every `set` calls the listeners, also with an equal value. */
export function createStore<State>(initial: State) {
  const { subscribe, emit } = createEmitter();
  let state = initial;
  function set(next: State): void {
    state = next;
    emit();
  }
  const update = (change: Partial<State>): void => set({ ...state, ...change });
  return { get: () => state, set, update, subscribe };
}
