import { expect, test } from 'vitest';
import { storedSwitch } from './settings.ts';

function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
}

test('[OPEN-96] a setting is on until it is switched off, and stays so', () => {
  const storage = memory();
  const sound = storedSwitch('sound', () => storage);
  const heard: boolean[] = [];
  const stop = sound.subscribe(() => heard.push(sound.get()));
  expect(sound.get()).toBe(true);
  sound.set(false);
  expect(storedSwitch('sound', () => storage).get()).toBe(false);
  expect(storedSwitch('keys', () => storage).get()).toBe(true);
  sound.set(true);
  expect(storedSwitch('sound', () => storage).get()).toBe(true);
  stop();
  sound.set(false);
  expect(heard).toEqual([false, true]);
});

test('[OPEN-96] a browser that keeps nothing still switches', () => {
  const keys = storedSwitch('keys', () => {
    throw new Error('storage is forbidden');
  });
  expect(keys.get()).toBe(true);
  keys.set(false);
  expect(keys.get()).toBe(false);
});
