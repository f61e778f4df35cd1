import { useSyncExternalStore } from 'react';
import { attempt } from '../chat/model/attempt.ts';

/** Something that a person switches on or off in this browser. */
export type Switch = {
  get(): boolean;
  set(on: boolean): void;
  subscribe(listener: () => void): () => void;
};

export function storedSwitch(
  key: string,
  /** Until the person has chosen. */
  atFirst: boolean,
  storage: () => Storage = () => localStorage,
): Switch {
  const listeners = new Set<() => void>();
  const other = atFirst ? 'off' : 'on';
  const read = () => (attempt(() => storage().getItem(key)) === other ? !atFirst : atFirst);
  let on = read();

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }
  /** Another window switched it. */
  function onStorage(event: StorageEvent): void {
    if (event.key !== key && event.key !== null) return;
    on = read();
    tell();
  }

  return {
    get: () => on,
    set(next) {
      on = next;
      // Without storage it holds until the page is left.
      attempt(() => (next === atFirst ? storage().removeItem(key) : storage().setItem(key, other)));
      tell();
    },
    subscribe(listener) {
      if (listeners.size === 0) globalThis.addEventListener?.('storage', onStorage);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) globalThis.removeEventListener?.('storage', onStorage);
      };
    },
  };
}

export function useSwitch(setting: Switch): boolean {
  return useSyncExternalStore(setting.subscribe, setting.get);
}
