import { expect, test } from 'vitest';
import { type Page, type PageEvent, pageReducer } from './page.ts';

const after = (...events: PageEvent[]) => events.reduce(pageReducer, { view: 'loading' } as Page);

test('[S-01] loading ends with an error or the unclaimed view', () => {
  expect(after({ type: 'failed', reason: 'no' })).toEqual({ view: 'error', reason: 'no' });
  expect(after({ type: 'invited', invite: 'SEEN' })).toEqual({
    view: 'unclaimed',
    invite: 'SEEN',
    starting: false,
  });
});

test('[S-02] Start chat asks for the name, with no conversation yet', () => {
  const page = after({ type: 'invited', invite: 'NEW' }, { type: 'starting' }, { type: 'started' });
  expect(page).toMatchObject({ view: 'active', invite: 'NEW', conversationId: null, named: false });
});

test('[S-03] a wrong code is asked for again, the right one opens the chat', () => {
  const asked: PageEvent[] = [{ type: 'codeNeeded', note: 'asked' }, { type: 'attaching' }];
  expect(after(...asked)).toEqual({ view: 'needsCode', attaching: true, note: null, error: null });
  expect(after(...asked, { type: 'codeFailed', error: 'no' })).toEqual({
    view: 'needsCode',
    attaching: false,
    note: null,
    error: 'no',
  });
  expect(after(...asked, { type: 'attached', conversationId: 'c', named: true, banner: null })).toMatchObject(
    {
      view: 'active',
      conversationId: 'c',
      named: true,
    },
  );
});

test('the banner shows the next code after a use, none when none works, and stays dismissed', () => {
  const chat: PageEvent[] = [{ type: 'attached', conversationId: 'c', named: true, banner: '4827' }];
  const next: PageEvent = { type: 'codeChanged', code: '1234', error: 'locked' };
  expect(after(...chat, next)).toMatchObject({ banner: '1234', codeFailures: 0 });
  expect(after(...chat, { type: 'bannerDismissed' }, next)).toMatchObject({ banner: null, codeFailures: 0 });
  expect(after(...chat, { type: 'codeChanged', code: null, error: 'locked' })).toMatchObject({
    banner: null,
    codeFailures: 1,
    codeError: 'locked',
  });
});

test('the code view opens without an error', () => {
  expect(after({ type: 'codeNeeded', note: 'Continue code required' })).toEqual({
    view: 'needsCode',
    attaching: false,
    note: 'Continue code required',
    error: null,
  });
});

test('[S-06] a name that cannot be saved keeps the claimed conversation', () => {
  const page = after(
    { type: 'invited', invite: 'NEW' },
    { type: 'started' },
    { type: 'saving' },
    { type: 'attached', conversationId: 'c', named: false, banner: '4827' },
    { type: 'nameFailed', error: 'Failed to save name' },
  );
  expect(page).toMatchObject({
    conversationId: 'c',
    invite: 'BOUND',
    saving: false,
    nameError: 'Failed to save name',
    banner: '4827',
  });
  expect(pageReducer(page, { type: 'named' })).toMatchObject({ named: true, banner: '4827' });
});
