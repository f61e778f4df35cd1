import { expect, test } from 'vitest';
import { problemsOf } from './usePersonForm.ts';

const good = { name: 'Mara', email: 'mara@settee.example', role: 'handler', alias: 'east' } as const;

test('[ADMIN-38] each error shows at its field, before any request', () => {
  expect(problemsOf(good)).toEqual({});
  expect(problemsOf({ ...good, role: 'admin', alias: '' })).toEqual({});
  expect(problemsOf({ name: ' ', email: 'mara', role: 'handler', alias: '' })).toEqual({
    name: 'Enter a name',
    email: 'That isn’t an email address',
    alias: 'A handler needs an alias',
  });
  expect(problemsOf({ ...good, alias: 'Mara East' }).alias).toContain('lower-case');
});
