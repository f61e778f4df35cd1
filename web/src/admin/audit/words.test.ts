import { expect, test } from 'vitest';
import { actionWords, actorWords, detailWords, targetLink, targetWords } from './words.ts';

test('[OPEN-197] what was done reads as words, also what nobody gave words to', () => {
  expect(actionWords('conversation.transfer')).toBe('Handed a conversation over');
  expect(actionWords('thing.madeUp')).toBe('Thing: made up');
  expect(actionWords('odd')).toBe('Odd');
});

test('[OPEN-197] who did it is a name, the command line, Settee itself, or a visitor', () => {
  expect(actorWords({ kind: 'staff', id: 'x', name: 'Ana' })).toBe('Ana');
  expect(actorWords({ kind: 'commandLine', id: 'cli', name: 'cli' })).toBe('Command line');
  expect(actorWords({ kind: 'system', id: 'system', name: 'system' })).toBe('Settee itself');
  expect(actorWords({ kind: 'unknown', id: 'visitor', name: 'visitor' })).toBe('The visitor');
  expect(actorWords({ kind: 'unknown', id: 'seed', name: 'seed' })).toBe('seed');
});

test('[OPEN-197] details read as words', () => {
  expect(detailWords({ from: 'east', to: 'west' })).toBe('from: east, to: west');
  expect(detailWords({ keepDays: null, verified: false, disclosure: '' })).toBe(
    'days to keep: forever, verified: no, disclosure line: none',
  );
  expect(detailWords({ disclosure: null, alias: null })).toBe('disclosure line: default');
  expect(detailWords({ madeUp: 3 })).toBe('made up: 3');
  expect(detailWords({})).toBe('');
});

test('[OPEN-197] conversations, people, invites and the profile are linked', () => {
  expect(targetLink({ kind: 'conversation', id: 'c', name: 'Ines' })).toBe('/conversations/c');
  expect(targetLink({ kind: 'person', id: 'p', name: 'Ana' })).toBe('/handlers');
  expect(targetLink({ kind: 'invite', id: 'i', name: 'Fair & Co' })).toBe('/invites?search=Fair%20%26%20Co');
  expect(targetLink({ kind: 'invite', id: 'i', name: '' })).toBe('/invites');
  expect(targetWords({ kind: 'invite', id: '4e1b1843-747a', name: '' })).toBe('Invite 4e1b1843');
  expect(targetLink({ kind: 'other', id: 'brand', name: 'brand' })).toBe('/profile');
  expect(targetLink({ kind: 'other', id: 'x', name: 'x' })).toBeUndefined();
  expect(targetWords({ kind: 'other', id: 'brand', name: 'brand' })).toBe('The public profile');
});
