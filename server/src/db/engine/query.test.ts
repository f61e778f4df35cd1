import { expect, test } from 'vitest';
import { changed, column, type Db, first, one, raw, rows, sql, value } from './query.ts';

test('values are bound, and fragments become part of the text', () => {
  const open = sql`status = ${'open'}`;
  const query = sql`select ${raw('id')} from t where ${open} and a = ${1} and ${open} limit ${null}`;
  expect(query.text).toBe('select id from t where status = $1 and a = $2 and status = $3 limit $4');
  expect(query.values).toEqual(['open', 1, 'open', null]);
});

test('text that looks like SQL stays a value', () => {
  const name = "'; drop table staff; --";
  expect(sql`select ${name}`).toMatchObject({ text: 'select $1', values: [name] });
});

test('a fragment without text or values adds nothing', () => {
  expect(sql`a${sql``}b${sql`${1}`}c`).toMatchObject({ text: 'ab$1c', values: [1] });
});

function answers(found: object[], rowCount = found.length): Db & { asked: object[] } {
  const asked: object[] = [];
  const result = { rows: found, rowCount, command: '', oid: 0, fields: [] };
  return {
    asked,
    async query(config) {
      asked.push(config);
      return result;
    },
  };
}

test('each tag returns its part of the result', async () => {
  const db = answers([{ id: 'a', n: 1 }, { id: 'b' }]);
  expect(await rows(db)`select`).toEqual([{ id: 'a', n: 1 }, { id: 'b' }]);
  expect(await first(db)`select`).toEqual({ id: 'a', n: 1 });
  expect(await column(db)`select`).toEqual(['a', 'b']);
  expect(await value(db)`select`).toBe('a');
  expect(await value(answers([]))`select`).toBeUndefined();
  expect(await changed(answers([], 1))`update`).toBe(true);
  expect(await changed(answers([]))`update`).toBe(false);
  await expect(one(answers([]))`select`).rejects.toThrow('no row');
});

test('only a named statement is prepared', async () => {
  const db = answers([]);
  await rows(db, 'some-name')`select ${1}`;
  await rows(db)`select ${2}`;
  expect(db.asked).toEqual([
    { name: 'some-name', text: 'select $1', values: [1] },
    { text: 'select $1', values: [2] },
  ]);
});
