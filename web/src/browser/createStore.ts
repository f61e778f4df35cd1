type Emitter<Args extends unknown[] = []> = {
  subscribe(listener: (...args: Args) => void): () => void;
  emit(...args: Args): void;
  clear(): void;
};

/** Listeners may subscribe or unsubscribe while they are called. */
export function createEmitter<Args extends unknown[] = []>(): Emitter<Args> {
  const listeners = new Set<(...args: Args) => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit(...args) {
      for (const listener of [...listeners]) listener(...args);
    },
    clear: () => listeners.clear(),
  };
}

type Store<State> = {
  get(): State;
  set(next: State): void;
  update(change: Partial<State>): void;
  subscribe(listener: () => void): () => void;
};

/** A value with listeners. Every `set` calls the listeners, also with an equal value. */
export function createStore<State>(initial: State): Store<State> {
  const { subscribe, emit } = createEmitter();
  let state = initial;
  function set(next: State): void {
    state = next;
    emit();
  }
  return { get: () => state, set, update: (change) => set({ ...state, ...change }), subscribe };
}
