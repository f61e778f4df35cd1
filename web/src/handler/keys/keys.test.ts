import { expect, test } from 'vitest';
import { commandKey, type KeyContext, type KeyPress, typesText } from './keyRules.ts';
import { chatAddress } from './useChatNavigation.ts';

const body: KeyContext = {
  inField: false,
  emptyField: false,
  inQueue: false,
  modal: false,
  escapeCloses: false,
  singleKeys: true,
  apple: false,
};

const queue: KeyContext = { ...body, inQueue: true };
const field: KeyContext = { ...body, inField: true };

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

test('outside the queue no printable key without a modifier is a command', () => {
  for (const key of printable) {
    for (const around of [body, field, { ...field, emptyField: true }, { ...queue, modal: true }]) {
      expect(commandKey(press(key), around)).toBeUndefined();
    }
  }
});

test('in the queue, single keys only move the focus or show the list of keys', () => {
  const meant = new Set(printable.map((key) => commandKey(press(key), queue)));
  expect(meant).toEqual(new Set([undefined, 'j', 'k', '?']));
  expect(commandKey(press('ArrowDown'), queue)).toBe('j');
  expect(commandKey(press('ArrowUp'), queue)).toBe('k');
  expect(commandKey(press('ArrowDown'), body)).toBeUndefined();
});

test('a printable key goes into the composer unless something else uses it', () => {
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
  // AltGr on Windows, the Option key on a Mac. Alt alone opens menus elsewhere.
  expect(typesText(press('€', { ctrlKey: true, altKey: true }), body)).toBe(true);
  expect(typesText(press('@', { altKey: true }), { ...body, apple: true })).toBe(true);
  expect(typesText(press('f', { altKey: true }), body)).toBe(false);
});

test('with Ctrl or Alt, keys work in fields too, but not under a dialog', () => {
  for (const key of ['e', 'i', '/']) {
    expect(commandKey(press(key, ctrl), field)).toBe(`mod+${key}`);
    expect(commandKey(press(key, ctrl), { ...field, modal: true })).toBeUndefined();
    // AltGr is Ctrl and Alt; with Shift, the key belongs to the browser.
    expect(commandKey(press(key, { ...ctrl, altKey: true }), field)).toBeUndefined();
  }
  expect(commandKey(press('E', { ...ctrl, shiftKey: true }), field)).toBeUndefined();
  expect(commandKey(press('ArrowDown', { altKey: true }), field)).toBe('alt+arrowdown');
  expect(commandKey(press('ArrowDown', { altKey: true, shiftKey: true }), field)).toBeUndefined();
  expect(commandKey(press('ArrowUp', { altKey: true }), { ...field, modal: true })).toBeUndefined();
});

test('Ctrl Z undoes the last action, unless there is typing to undo', () => {
  expect(commandKey(press('z', ctrl), body)).toBe('mod+z');
  expect(commandKey(press('z', ctrl), { ...field, emptyField: true })).toBe('mod+z');
  expect(commandKey(press('z', ctrl), field)).toBeUndefined();
  expect(commandKey(press('z', { metaKey: true }), { ...body, apple: true })).toBe('mod+z');
});

test('only moving repeats while the key is held', () => {
  const repeat = { repeat: true };
  expect(commandKey(press('j', repeat), queue)).toBe('j');
  expect(commandKey(press('ArrowDown', { ...repeat, altKey: true }), body)).toBe('alt+arrowdown');
  expect(commandKey(press('?', repeat), queue)).toBeUndefined();
  expect(commandKey(press('e', { ...repeat, ...ctrl }), body)).toBeUndefined();
});

test('the other modifier is not ours: Ctrl K deletes a line on a Mac', () => {
  expect(commandKey(press('k', ctrl), { ...body, apple: true })).toBeUndefined();
  expect(commandKey(press('k', { metaKey: true }), body)).toBeUndefined();
  expect(commandKey(press('K', { ...ctrl, shiftKey: true }), body)).toBeUndefined();
  expect(commandKey(press('k', { ...ctrl, altKey: true }), body)).toBeUndefined();
  expect(commandKey(press('k', { ...ctrl, isComposing: true }), body)).toBeUndefined();
});

test('the filter stays in the address, the previous message does not', () => {
  expect(chatAddress('a', '?show=unread&message=3')).toEqual({
    pathname: '/conversation/a',
    search: 'show=unread',
  });
  expect(chatAddress('a', '', 7)).toEqual({ pathname: '/conversation/a', search: 'message=7' });
  expect(chatAddress(undefined, '?show=waiting')).toEqual({ pathname: '/', search: 'show=waiting' });
});
