import { useSyncExternalStore } from 'react';
import { attempt } from '../../chat/attempt.ts';

/** Something that is on unless this person switched it off in this browser. */
export type Switch = {
  get(): boolean;
  set(on: boolean): void;
  subscribe(listener: () => void): () => void;
};

export function storedSwitch(key: string, storage: () => Storage = () => localStorage): Switch {
  const listeners = new Set<() => void>();
  const read = () => attempt(() => storage().getItem(key)) !== 'off';
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
      attempt(() => (next ? storage().removeItem(key) : storage().setItem(key, 'off')));
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

export const soundSetting = storedSwitch('sound');
/** On: closing a chat leads to the queue. Off: to the chat that has waited longest. */
export const queueAfterClosing = storedSwitch('queueAfterClosing');
export const keysSetting = storedSwitch('keys');

export function useSwitch(setting: Switch): boolean {
  return useSyncExternalStore(setting.subscribe, setting.get);
}
