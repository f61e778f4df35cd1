import { expect, test } from 'vitest';
import { storedSoundSetting } from './soundSetting.ts';

function storage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
}

test('[OPEN-88] the sound is on until it is switched off, and that is kept', () => {
  const kept = storage();
  const setting = storedSoundSetting(() => kept);
  let told = 0;
  setting.subscribe(() => told++);
  expect(setting.get()).toBe(true);
  setting.set(false);
  expect(setting.get()).toBe(false);
  expect(told).toBe(1);
  expect(storedSoundSetting(() => kept).get()).toBe(false);
  setting.set(true);
  expect(storedSoundSetting(() => kept).get()).toBe(true);
});

test('a browser that keeps nothing still obeys while the page lasts', () => {
  const setting = storedSoundSetting(() => {
    throw new Error('forbidden');
  });
  setting.set(false);
  expect(setting.get()).toBe(false);
});
