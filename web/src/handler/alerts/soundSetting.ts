import { attempt } from '../../chat/attempt.ts';

export type SoundSetting = {
  /** Whether a new message may be heard. */
  get(): boolean;
  set(on: boolean): void;
  subscribe(listener: () => void): () => void;
};

const KEY = 'sound';
const OFF = 'off';

/** Kept on this device: who works in an open office wants the same tomorrow. On, until somebody says otherwise. */
export function storedSoundSetting(storage: () => Storage): SoundSetting {
  const listeners = new Set<() => void>();
  // Remembered as well, for a browser that keeps nothing.
  let on = attempt(() => storage().getItem(KEY)) !== OFF;
  return {
    get: () => on,
    set(next) {
      on = next;
      attempt(() => (next ? storage().removeItem(KEY) : storage().setItem(KEY, OFF)));
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const soundSetting = storedSoundSetting(() => localStorage);
