import { defaultBrand } from '@settee/protocol/model/brand';
import { expect, test } from 'vitest';
import { changedFields } from '../changedFields.ts';
import { bodyOf, draftOf, type ProfileSettings, problemsOf } from './draft.ts';

const saved: ProfileSettings = {
  brand: { ...defaultBrand, displayName: 'Mara' },
  settings: {
    reopenDays: 7,
    waitingMinutes: 5,
    waitingLongMinutes: 15,
    keepDays: null,
    visitorErase: true,
    language: 'en',
    visitorMail: false,
  },
};
const draft = draftOf(saved);

test('a reverted change is no change', () => {
  expect(changedFields(draft, { displayName: 'Mara', verified: true, picture: undefined })).toEqual({});
  expect(changedFields(draft, { displayName: 'Ines', reopenDays: '7' })).toEqual({ displayName: 'Ines' });
  expect(changedFields(draft, { picture: null })).toEqual({ picture: null });
});

test('only changed fields are sent, and default texts as none', () => {
  expect(bodyOf(saved, draft)).toEqual({});
  expect(bodyOf(saved, { ...draft, verified: false, disclosure: '' })).toEqual({
    verified: false,
    disclosure: '',
  });
  const reworded = { ...saved, brand: { ...saved.brand, disclosure: 'We all answer.' } };
  expect(bodyOf(reworded, draft)).toEqual({ disclosure: null });
  expect(bodyOf(saved, { ...draft, keepsForEver: false, keepDays: '30' })).toEqual({ keepDays: 30 });
  expect(bodyOf({ ...saved, settings: { ...saved.settings, keepDays: 30 } }, draft)).toEqual({
    keepDays: null,
  });
});

test('changed greeting, farewell and away message are sent, and validated at their fields', () => {
  expect(bodyOf(saved, { ...draft, greeting: 'Hello!', farewell: 'Bye.' })).toEqual({
    greeting: 'Hello!',
    farewell: 'Bye.',
  });
  const greeted = { ...saved, brand: { ...saved.brand, greeting: 'Hello!' } };
  expect(bodyOf(greeted, draft)).toEqual({ greeting: '' });
  expect(
    problemsOf({
      ...draft,
      greeting: 'x'.repeat(501),
      farewell: 'x'.repeat(301),
      awayMessage: 'x'.repeat(201),
    }),
  ).toEqual({
    greeting: 'Use at most 500 characters',
    farewell: 'Use at most 300 characters',
    awayMessage: 'Use at most 200 characters',
  });
});

test('text typed during a save is still unsaved', () => {
  const sent = { ...draft, displayName: 'Ines', reopenDays: '9' };
  expect(changedFields(sent, { displayName: 'Ines B.', reopenDays: '9' })).toEqual({
    displayName: 'Ines B.',
  });
  expect(changedFields(sent, { displayName: 'Ines', picture: null })).toEqual({ picture: null });
});

test('invalid input is reported at its field', () => {
  expect(problemsOf(draft)).toEqual({});
  expect(problemsOf({ ...draft, keepDays: '' })).toEqual({});
  expect(
    problemsOf({
      ...draft,
      displayName: '  ',
      reopenDays: '',
      waitingMinutes: '15',
      keepsForEver: false,
      keepDays: '0',
    }),
  ).toEqual({
    displayName: 'Use 1 to 80 characters',
    reopenDays: 'From 0 to 365 days',
    waitingLongMinutes: 'Urgent must come later than highlighted',
    keepDays: 'From 1 to 3,650 days',
  });
  expect(problemsOf({ ...draft, waitingMinutes: '1441' })).toEqual({
    waitingMinutes: 'From 1 to 1,440 minutes',
  });
  expect(problemsOf({ ...draft, displayName: 'x'.repeat(81), disclosure: 'x'.repeat(201) })).toEqual({
    displayName: 'Use 1 to 80 characters',
    disclosure: 'Use at most 200 characters',
  });
});
