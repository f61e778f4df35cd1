import { expect, test } from 'vitest';
import { type Page, type PageEvent, pageReducer } from './page.ts';

const after = (...events: PageEvent[]) => events.reduce(pageReducer, { view: 'loading' } as Page);

test('[S-01] loading ends in the reason or in the invitation', () => {
  expect(after({ type: 'failed', reason: 'no' })).toEqual({ view: 'error', reason: 'no' });
  expect(after({ type: 'invited', invite: 'SEEN' })).toEqual({
    view: 'unclaimed',
    invite: 'SEEN',
    starting: false,
  });
});

test('[S-02] Start chat leads to the name, with no conversation yet', () => {
  const page = after({ type: 'invited', invite: 'NEW' }, { type: 'starting' }, { type: 'started' });
  expect(page).toMatchObject({ view: 'active', invite: 'NEW', conversationId: null, named: false });
});

test('[S-03] a code that fails is asked for again, one that fits opens the chat', () => {
  const asked: PageEvent[] = [{ type: 'codeNeeded', error: null }, { type: 'attaching' }];
  expect(after(...asked)).toEqual({ view: 'needsCode', attaching: true, error: null });
  expect(after(...asked, { type: 'codeFailed', error: 'no' })).toEqual({
    view: 'needsCode',
    attaching: false,
    error: 'no',
  });
  expect(after(...asked, { type: 'seated', conversationId: 'c', named: true, banner: null })).toMatchObject({
    view: 'active',
    conversationId: 'c',
    named: true,
  });
});

test('[S-06] a name that could not be saved keeps the conversation that was claimed for it', () => {
  const page = after(
    { type: 'invited', invite: 'NEW' },
    { type: 'started' },
    { type: 'saving' },
    { type: 'seated', conversationId: 'c', named: false, banner: '4827' },
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
