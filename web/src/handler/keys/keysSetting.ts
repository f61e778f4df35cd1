import { useSyncExternalStore } from 'react';
import { attempt } from '../../chat/attempt.ts';

const KEY = 'keys';
const OFF = 'off';

export type KeysSetting = {
  get(): boolean;
  set(on: boolean): void;
  subscribe(listener: () => void): () => void;
};

/** Whether single keys do anything: a person who speaks to the machine, or hits keys unmeant, switches them off. */
export function storedKeysSetting(storage: () => Storage = () => localStorage): KeysSetting {
  const listeners = new Set<() => void>();
  // Kept here as well, for a browser that keeps nothing.
  let on = attempt(() => storage().getItem(KEY)) !== OFF;
  return {
    get: () => on,
    set(wanted) {
      on = wanted;
      attempt(() => (wanted ? storage().removeItem(KEY) : storage().setItem(KEY, OFF)));
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const keysSetting = storedKeysSetting();

export function useKeysSetting(): boolean {
  return useSyncExternalStore(keysSetting.subscribe, keysSetting.get);
}
