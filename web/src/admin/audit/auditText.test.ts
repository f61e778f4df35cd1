import { expect, test } from 'vitest';
import { actionText, actorText, detailText, targetLink, targetText } from './auditText.ts';

test('actions show as text, also those without a text of their own', () => {
  expect(actionText('conversation.transfer')).toBe('Handed a conversation over');
  expect(actionText('thing.madeUp')).toBe('Thing: made up');
  expect(actionText('odd')).toBe('Odd');
});

test('the author is a name, the command line, Settee itself, or a visitor', () => {
  expect(actorText({ kind: 'staff', id: 'x', name: 'Ana' })).toBe('Ana');
  expect(actorText({ kind: 'commandLine', id: 'cli', name: 'cli' })).toBe('Command line');
  expect(actorText({ kind: 'system', id: 'system', name: 'system' })).toBe('Settee itself');
  expect(actorText({ kind: 'unknown', id: 'visitor', name: 'visitor' })).toBe('The visitor');
  expect(actorText({ kind: 'unknown', id: 'seed', name: 'seed' })).toBe('seed');
});

test('details show as text', () => {
  expect(detailText({ from: 'east', to: 'west' })).toBe('from: east, to: west');
  expect(detailText({ keepDays: null, verified: false, disclosure: '' })).toBe(
    'days to keep: forever, verified: no, disclosure line: none',
  );
  expect(detailText({ disclosure: null, alias: null })).toBe('disclosure line: default');
  expect(detailText({ elsewhere: 2 })).toBe('other sessions: 2');
  expect(detailText({ madeUp: 3 })).toBe('made up: 3');
  expect(detailText({})).toBe('');
});

test('conversations, people, invites and the profile are linked', () => {
  expect(targetLink({ kind: 'conversation', id: 'c', name: 'Ines' })).toBe('/conversations/c');
  expect(targetLink({ kind: 'person', id: 'p', name: 'Ana' })).toBe('/handlers');
  expect(targetLink({ kind: 'invite', id: 'i', name: 'Fair & Co' })).toBe('/invites?search=Fair%20%26%20Co');
  expect(targetLink({ kind: 'invite', id: 'i', name: '' })).toBe('/invites');
  expect(targetText({ kind: 'invite', id: '4e1b1843-747a', name: '' })).toBe('Invite 4e1b1843');
  expect(targetLink({ kind: 'other', id: 'brand', name: 'brand' })).toBe('/profile');
  expect(targetLink({ kind: 'other', id: 'x', name: 'x' })).toBeUndefined();
  expect(targetText({ kind: 'other', id: 'brand', name: 'brand' })).toBe('The public profile');
});
