import { expect, test } from 'vitest';
import { storedKeysSetting } from './keysSetting.ts';

function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
}

test('[OPEN-102] single keys are on until switched off, and that is kept', () => {
  const storage = memory();
  const setting = storedKeysSetting(() => storage);
  let told = 0;
  setting.subscribe(() => {
    told += 1;
  });
  expect(setting.get()).toBe(true);
  setting.set(false);
  expect([setting.get(), told]).toEqual([false, 1]);
  expect(storedKeysSetting(() => storage).get()).toBe(false);
  setting.set(true);
  expect(storedKeysSetting(() => storage).get()).toBe(true);
});

test('[OPEN-102] a browser that keeps nothing still switches', () => {
  const setting = storedKeysSetting(() => {
    throw new Error('forbidden');
  });
  setting.set(false);
  expect(setting.get()).toBe(false);
});
