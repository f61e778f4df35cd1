import { expect, test } from 'vitest';
import { type Around, type KeyPress, meantKey } from './keyRules.ts';

const body: Around = {
  inField: false,
  onControl: false,
  modal: false,
  open: false,
  singleKeys: true,
  apple: false,
};

function press(key: string, more: Partial<KeyPress> = {}): KeyPress {
  return {
    key,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
    shiftKey: false,
    repeat: false,
    isComposing: false,
    keyCode: 0,
    defaultPrevented: false,
    ...more,
  };
}

const letters = ['j', 'k', 'r', 'n', 'e', 'u', '/', '?'];
const others = ['Enter', 'Escape'];

test('[OPEN-102] a single key means itself', () => {
  for (const key of letters) expect(meantKey(press(key), body)).toBe(key);
  for (const key of others) expect(meantKey(press(key), body)).toBe(key.toLowerCase());
});

test('[OPEN-102] the layout decides: signs that need Shift, Caps Lock, letters elsewhere', () => {
  // A German keyboard types '/' with Shift and 7, '?' with Shift and ß.
  expect(meantKey(press('/', { shiftKey: true }), body)).toBe('/');
  expect(meantKey(press('?', { shiftKey: true }), body)).toBe('?');
  expect(meantKey(press('J'), body)).toBe('j');
  expect(meantKey(press('J', { shiftKey: true }), body)).toBeUndefined();
  expect(meantKey(press('Dead'), body)).toBe('dead');
});

test('[OPEN-102] nothing is taken from a field, from composing, or from what was handled already', () => {
  for (const key of letters) {
    expect(meantKey(press(key), { ...body, inField: true })).toBeUndefined();
    expect(meantKey(press(key, { isComposing: true }), body)).toBeUndefined();
    expect(meantKey(press(key, { keyCode: 229 }), body)).toBeUndefined();
    expect(meantKey(press(key, { defaultPrevented: true }), body)).toBeUndefined();
  }
  expect(meantKey(press('Enter'), { ...body, inField: true })).toBeUndefined();
  expect(meantKey(press('Escape', { isComposing: true }), { ...body, inField: true })).toBeUndefined();
});

test('[OPEN-102] no Alt, no Ctrl, no command key; AltGr is Ctrl and Alt', () => {
  for (const key of [...letters, ...others]) {
    expect(meantKey(press(key, { altKey: true }), body)).toBeUndefined();
    expect(meantKey(press(key, { ctrlKey: true, altKey: true }), body)).toBeUndefined();
    if (key === 'k') continue;
    expect(meantKey(press(key, { ctrlKey: true }), body)).toBeUndefined();
    expect(meantKey(press(key, { metaKey: true }), { ...body, apple: true })).toBeUndefined();
  }
});

test('[OPEN-102] under a dialog only the palette answers; what Esc closes by itself is left to the browser', () => {
  for (const key of [...letters, ...others]) {
    expect(meantKey(press(key), { ...body, modal: true })).toBeUndefined();
  }
  expect(meantKey(press('Escape'), { ...body, open: true })).toBeUndefined();
  expect(meantKey(press('Escape'), { ...body, inField: true })).toBe('escape');
});

test('[OPEN-102] Enter belongs to the link or button it is pressed on', () => {
  expect(meantKey(press('Enter'), { ...body, onControl: true })).toBeUndefined();
  expect(meantKey(press('r'), { ...body, onControl: true })).toBe('r');
});

test('[OPEN-102] only walking goes on while the key is held', () => {
  const held = letters.filter((key) => meantKey(press(key, { repeat: true }), body) !== undefined);
  expect(held).toEqual(['j', 'k']);
});

test('[OPEN-102] [OPEN-103] switched off, only the palette is left, and it works everywhere', () => {
  const off = { ...body, singleKeys: false };
  for (const key of [...letters, ...others]) expect(meantKey(press(key), off)).toBeUndefined();
  for (const around of [off, body, { ...body, inField: true }, { ...body, modal: true }]) {
    expect(meantKey(press('k', { ctrlKey: true }), around)).toBe('mod+k');
    expect(meantKey(press('k', { metaKey: true }), { ...around, apple: true })).toBe('mod+k');
  }
});

test('[OPEN-103] the other modifier is not ours: Ctrl K deletes a line on a Mac', () => {
  expect(meantKey(press('k', { ctrlKey: true }), { ...body, apple: true })).toBeUndefined();
  expect(meantKey(press('k', { metaKey: true }), body)).toBeUndefined();
  expect(meantKey(press('K', { ctrlKey: true, shiftKey: true }), body)).toBeUndefined();
  expect(meantKey(press('k', { ctrlKey: true, altKey: true }), body)).toBeUndefined();
  expect(meantKey(press('k', { ctrlKey: true, isComposing: true }), body)).toBeUndefined();
});
