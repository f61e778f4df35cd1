import { expect, test } from 'vitest';
import { storedSwitch } from './storedSwitch.ts';

function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
}

test('a setting is on until it is switched off, and stays so', () => {
  const storage = memory();
  const sound = storedSwitch('sound', true, () => storage);
  const received: boolean[] = [];
  const stop = sound.subscribe(() => received.push(sound.get()));
  expect(sound.get()).toBe(true);
  sound.set(false);
  expect(storedSwitch('sound', true, () => storage).get()).toBe(false);
  expect(storedSwitch('keys', true, () => storage).get()).toBe(true);
  sound.set(true);
  expect(storedSwitch('sound', true, () => storage).get()).toBe(true);
  stop();
  sound.set(false);
  expect(received).toEqual([false, true]);
});

test('a setting may also be off until it is switched on, and stays on', () => {
  const storage = memory();
  const sound = storedSwitch('chat_sound', false, () => storage);
  expect(sound.get()).toBe(false);
  sound.set(true);
  expect(storedSwitch('chat_sound', false, () => storage).get()).toBe(true);
  sound.set(false);
  expect(storage.getItem('chat_sound')).toBeNull();
});

test('a browser that stores nothing still switches', () => {
  const keys = storedSwitch('keys', true, () => {
    throw new Error('storage is forbidden');
  });
  expect(keys.get()).toBe(true);
  keys.set(false);
  expect(keys.get()).toBe(false);
});
