import { Uuid } from '@settee/protocol/model/ids';
import * as v from 'valibot';
import { Refusal } from '../auth/refusal.ts';

/** The row that a page follows; undefined for the first page. */
export function parseCursor(cursor: string | undefined): { at: Date; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const split = cursor.indexOf('_');
  const at = new Date(Number(cursor.slice(0, split)));
  const id = cursor.slice(split + 1);
  if (Number.isNaN(at.getTime()) || !v.is(Uuid, id)) throw new Refusal('bad_request');
  return { at, id };
}

/** The time range of one page, newest first: from the row before it to its last row. */
export function pageEnds(
  after: { at: Date } | undefined,
  next: string | null,
): { before: Date | undefined; since: Date | undefined } {
  return { before: after?.at, since: parseCursor(next ?? undefined)?.at };
}
