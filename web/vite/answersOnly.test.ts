import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withAnswersOnly, withAnyCode } from './answersOnly.ts';

const asked = `export const calls = {
  one: call({
    path: '/one',
    query: none,
    body: v.strictObject({
      id: Uuid, // a body, with a comment
    }),
    answer: v.object({ body: v.string() }),
  }),
};`;

test('bodies and queries go, answers stay, and every line keeps its number', () => {
  const left = withAnswersOnly(asked);
  expect(left.replace(/\s+/g, ' ')).toBe(
    "export const calls = { one: call({ path: '/one', answer: v.object({ body: v.string() }), }), };",
  );
  expect(left.split('\n')).toHaveLength(asked.split('\n').length);
});

test('nothing of what the visitor asks is left in its table of calls', () => {
  const table = readFileSync(`${import.meta.dirname}/../../protocol/src/calls/visitorCalls.ts`, 'utf8');
  const left = withAnswersOnly(table);
  expect(table).toMatch(/\bbody: v\.strictObject/);
  expect(left).not.toMatch(/^\s+(?:body|query):/m);
  const answers = (code: string) => code.match(/^ +answer:.*$/gm);
  expect(answers(left)).toEqual(answers(table));
});

test('the codes of refusals are any word, and every line keeps its number', () => {
  const table = readFileSync(`${import.meta.dirname}/../../protocol/src/calls/errorCodes.ts`, 'utf8');
  const left = withAnyCode(table);
  expect(table).toContain("'push_refused'");
  expect(left).not.toContain("'push_refused'");
  expect(left).toContain('ErrorCode = v.string()');
  expect(left).toContain("'too_many'");
  expect(left.split('\n')).toHaveLength(table.split('\n').length);
});
