import { QUEUE_PAGE } from '@settee/protocol/model/queue';
import type { DataCall } from './dataCalls.ts';

const PAGE = 50;

type Listed = { rows?: unknown[]; entries?: unknown[]; next: unknown };
const list = (
  what: string,
  path: string | ((n: number) => string),
  found: 'full' | 'one' | 'none' = 'full',
): DataCall => ({
  what,
  as: 'administrator',
  path: (n) => (typeof path === 'string' ? path : path(n)),
  check: ({ rows, entries }: Listed) => (rows ?? entries)?.length === { full: PAGE, one: 1, none: 0 }[found],
});

/** Lists and their counts. */
export const LIST_CALLS: readonly DataCall[] = [
  {
    what: 'queue of the large desk',
    as: 'handler',
    path: () => `/queue?limit=${QUEUE_PAGE}`,
    check: ({ rows }: Listed) => rows?.length === QUEUE_PAGE,
  },
  list('conversations', '/manage/conversations'),
  list('conversations, closed', '/manage/conversations?show=closed'),
  list('conversations, every name', '/manage/conversations?q=ada'),
  list('conversations, every label', '/manage/conversations?q=campaign'),
  list('conversations, one desk and every name', '/manage/conversations?q=ada&alias=desk-0'),
  list('conversations, no hit', (n) => `/manage/conversations?q=nowhere${n}`, 'none'),
  list('invites with counts', '/manage/invites'),
  list('invites with counts, one desk', '/manage/invites?alias=desk-0'),
  list('invites with counts, expired', '/manage/invites?state=EXPIRED'),
  list('invites with counts, every label', '/manage/invites?search=campaign'),
  list('invites with counts, no hit', (n) => `/manage/invites?search=nowhere${n}`, 'none'),
  list('audit log', '/manage/audit'),
  list('audit log, one action', '/manage/audit?action=note.add'),
  list('audit log, common text', '/manage/audit?q=desk-'),
  list('audit log, no hit, one step', (n) => `/manage/audit?q=nowhere${n}`, 'none'),
];
