import { expect, test } from 'vitest';
import { consolePath, isChat, isConsole, pathOf } from './windows.ts';

const at = (path: string) => ({ url: `https://settee.test${path}` });

test('an address is the same with a slash, a query or a fragment after it', () => {
  for (const path of ['/i/a1', '/i/a1/', '/i/a1?x=1', '/i/a1/#top']) expect(pathOf(at(path))).toBe('/i/a1');
});

test('chats and consoles are distinguished from all other pages', () => {
  expect(['/i/a1', '/i/a1/'].map((path) => isChat(at(path)))).toEqual([true, true]);
  expect(['/', '/chat', '/handler/i/a'].map((path) => isChat(at(path)))).toEqual([false, false, false]);
  const consoles = ['/handler', '/handler/', '/handler?filter=unread', consolePath('c1')];
  expect(consoles.map((path) => isConsole(at(path)))).toEqual([true, true, true, true]);
  expect(['/handler-test', '/i/handler', '/'].map((path) => isConsole(at(path)))).toEqual([
    false,
    false,
    false,
  ]);
});
