import { useSyncExternalStore } from 'react';
import { attempt } from '../chat/model/attempt.ts';
import { createStore } from './createStore.ts';

/** A setting stored in this browser. */
export type Switch = {
  get(): boolean;
  set(on: boolean): void;
  subscribe(listener: () => void): () => void;
};

export function storedSwitch(
  key: string,
  byDefault: boolean,
  storage: () => Storage = () => localStorage,
): Switch {
  const other = byDefault ? 'off' : 'on';
  const read = () => (attempt(() => storage().getItem(key)) === other ? !byDefault : byDefault);
  const store = createStore(read());

  // Another window changed it. `get` must be right also while nothing subscribes.
  globalThis.addEventListener?.('storage', (event) => {
    if (event.key === key || event.key === null) store.set(read());
  });

  return {
    get: store.get,
    set(next) {
      // Without storage, it lasts until the page closes.
      attempt(() => (next === byDefault ? storage().removeItem(key) : storage().setItem(key, other)));
      store.set(next);
    },
    subscribe: store.subscribe,
  };
}

export function useSwitch(setting: Switch): boolean {
  return useSyncExternalStore(setting.subscribe, setting.get);
}
