import { expect, test } from 'vitest';
import { type Around, type KeyPress, meantKey, typesText } from './keyRules.ts';

const body: Around = {
  inField: false,
  emptyField: false,
  inQueue: false,
  modal: false,
  open: false,
  singleKeys: true,
  apple: false,
};
const queue: Around = { ...body, inQueue: true };
const field: Around = { ...body, inField: true };

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

const ctrl = { ctrlKey: true };
const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));

test('[CONSOLE-02] without a modifier, no printable key commands anything outside of the queue', () => {
  for (const key of printable) {
    for (const around of [body, field, { ...field, emptyField: true }, { ...queue, modal: true }]) {
      expect(meantKey(press(key), around)).toBeUndefined();
    }
  }
});

test('[CONSOLE-02] in the queue, single keys only move the focus or show the list of keys', () => {
  const meant = new Set(printable.map((key) => meantKey(press(key), queue)));
  expect(meant).toEqual(new Set([undefined, 'j', 'k', '?']));
  expect(meantKey(press('ArrowDown'), queue)).toBe('j');
  expect(meantKey(press('ArrowUp'), queue)).toBe('k');
  expect(meantKey(press('ArrowDown'), body)).toBeUndefined();
});

test('[CONSOLE-02] a printable key goes into the composer unless something else has a use for it', () => {
  for (const key of [...printable.slice(1), 'ß', '😀']) {
    expect(typesText(press(key), body)).toBe(true);
    for (const around of [field, queue, { ...body, modal: true }]) {
      expect(typesText(press(key), around)).toBe(false);
    }
    expect(typesText(press(key, { metaKey: true }), body)).toBe(false);
    expect(typesText(press(key, ctrl), body)).toBe(false);
    expect(typesText(press(key, { isComposing: true }), body)).toBe(false);
  }
  for (const key of [' ', 'Enter', 'Escape', 'Tab', 'ArrowDown', 'F5', 'Dead', 'Shift']) {
    expect(typesText(press(key), body)).toBe(false);
  }
  // AltGr on Windows, the option key on a Mac. Alt alone belongs to menus elsewhere.
  expect(typesText(press('€', { ctrlKey: true, altKey: true }), body)).toBe(true);
  expect(typesText(press('@', { altKey: true }), { ...body, apple: true })).toBe(true);
  expect(typesText(press('f', { altKey: true }), body)).toBe(false);
});

test('[OPEN-102] the layout decides: signs that need Shift, Caps Lock', () => {
  // A German keyboard types '/' with Shift and 7, '?' with Shift and ß.
  expect(meantKey(press('/', { ...ctrl, shiftKey: true }), field)).toBe('mod+/');
  expect(meantKey(press('?', { shiftKey: true }), queue)).toBe('?');
  expect(meantKey(press('J'), queue)).toBe('j');
  expect(meantKey(press('J', { shiftKey: true }), queue)).toBeUndefined();
});

test('[OPEN-102] nothing is taken from composing, or from what was handled already', () => {
  for (const taken of [{ isComposing: true }, { keyCode: 229 }, { defaultPrevented: true }]) {
    expect(meantKey(press('j', taken), queue)).toBeUndefined();
    expect(meantKey(press('e', { ...ctrl, ...taken }), field)).toBeUndefined();
    expect(meantKey(press('Escape', taken), field)).toBeUndefined();
  }
});

test('[OPEN-102] with Ctrl or Alt, keys work in fields too, but not under a dialog', () => {
  for (const key of ['e', 'i', '/']) {
    expect(meantKey(press(key, ctrl), field)).toBe(`mod+${key}`);
    expect(meantKey(press(key, ctrl), { ...field, modal: true })).toBeUndefined();
    // AltGr is Ctrl and Alt; with Shift a letter is the browser's.
    expect(meantKey(press(key, { ...ctrl, altKey: true }), field)).toBeUndefined();
  }
  expect(meantKey(press('E', { ...ctrl, shiftKey: true }), field)).toBeUndefined();
  expect(meantKey(press('ArrowDown', { altKey: true }), field)).toBe('alt+arrowdown');
  expect(meantKey(press('ArrowDown', { altKey: true, shiftKey: true }), field)).toBeUndefined();
  expect(meantKey(press('ArrowUp', { altKey: true }), { ...field, modal: true })).toBeUndefined();
});

test('[CONSOLE-03] Ctrl Z undoes the last action, unless there is typing to undo', () => {
  expect(meantKey(press('z', ctrl), body)).toBe('mod+z');
  expect(meantKey(press('z', ctrl), { ...field, emptyField: true })).toBe('mod+z');
  expect(meantKey(press('z', ctrl), field)).toBeUndefined();
  expect(meantKey(press('z', { metaKey: true }), { ...body, apple: true })).toBe('mod+z');
});

test('[OPEN-102] what Esc closes by itself is left to the browser', () => {
  expect(meantKey(press('Escape'), { ...body, open: true })).toBeUndefined();
  expect(meantKey(press('Escape'), field)).toBe('escape');
});

test('[OPEN-102] only moving goes on while the key is held', () => {
  const repeat = { repeat: true };
  expect(meantKey(press('j', repeat), queue)).toBe('j');
  expect(meantKey(press('ArrowDown', { ...repeat, altKey: true }), body)).toBe('alt+arrowdown');
  expect(meantKey(press('?', repeat), queue)).toBeUndefined();
  expect(meantKey(press('e', { ...repeat, ...ctrl }), body)).toBeUndefined();
});

test('[OPEN-102] [OPEN-103] switched off, single keys do nothing; those with a modifier do', () => {
  const off = { ...queue, singleKeys: false };
  for (const key of ['j', 'k', '?', 'ArrowDown', 'Escape']) expect(meantKey(press(key), off)).toBeUndefined();
  expect(meantKey(press('e', ctrl), off)).toBe('mod+e');
  for (const around of [off, body, field, { ...body, modal: true }]) {
    expect(meantKey(press('k', ctrl), around)).toBe('mod+k');
    expect(meantKey(press('k', { metaKey: true }), { ...around, apple: true })).toBe('mod+k');
  }
});

test('[OPEN-103] the other modifier is not ours: Ctrl K deletes a line on a Mac', () => {
  expect(meantKey(press('k', ctrl), { ...body, apple: true })).toBeUndefined();
  expect(meantKey(press('k', { metaKey: true }), body)).toBeUndefined();
  expect(meantKey(press('K', { ...ctrl, shiftKey: true }), body)).toBeUndefined();
  expect(meantKey(press('k', { ...ctrl, altKey: true }), body)).toBeUndefined();
  expect(meantKey(press('k', { ...ctrl, isComposing: true }), body)).toBeUndefined();
});
