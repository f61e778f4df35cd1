import { Uuid } from '@settee/protocol/model/ids';
import * as v from 'valibot';
import { Refusal } from '../auth/refusal.ts';

/** The row that a page follows, from the word with which the page before ended; undefined for the first page. */
export function rowOfCursor(cursor: string | undefined): { at: Date; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const split = cursor.indexOf('_');
  const at = new Date(Number(cursor.slice(0, split)));
  const id = cursor.slice(split + 1);
  if (Number.isNaN(at.getTime()) || !v.is(Uuid, id)) throw new Refusal('bad_request');
  return { at, id };
}

/** The times between which a page of a list lies, newest first: from the row it follows to the row it ends with. */
export function pageEnds(
  after: { at: Date } | undefined,
  next: string | null,
): { before: Date | undefined; since: Date | undefined } {
  return { before: after?.at, since: rowOfCursor(next ?? undefined)?.at };
}
