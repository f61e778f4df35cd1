import { expect, test } from 'vitest';
import { fillText } from './fillText.ts';

test('words in braces are filled in, once, and unknown ones stay', () => {
  expect(fillText('{name} is viewing', { name: 'Ana' })).toBe('Ana is viewing');
  expect(fillText('{name}, {time}', { name: '{time}', time: '09:41' })).toBe('{time}, 09:41');
  expect(fillText('{other}', { name: 'Ana' })).toBe('{other}');
  expect(fillText('$& {name}', { name: '$1' })).toBe('$& $1');
});
