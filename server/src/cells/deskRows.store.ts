import pg from 'pg';
import { quoteIdentifier, type Table } from '../backup/catalogue.store.ts';
import { REPLY_KEY_START } from '../mail/mailJobs.store.ts';

/** A table of which a desk has rows. `where` is the same in both cells. `instead`: columns that the copy does not take over. */
type DeskTable = { name: string; where: string; instead?: Record<string, string> };

const CONVERSATIONS = 'select id from conversations where handler_alias = :desk';
const STAFF = 'select id from staff where alias = :desk';
const OF_CONVERSATION = `conversation_id in (${CONVERSATIONS})`;
const OF_STAFF = `staff_id in (${STAFF})`;

/** The conversation decides, because it may have been handed over after its invite was created. */
const INVITES = `id in (select invite_id from conversations where handler_alias = :desk)
  or (handler_alias = :desk and not exists (select from conversations c where c.invite_id = invites.id))`;

/** Referenced tables first. Messages and people have their own functions. */
const DESK_TABLES: DeskTable[] = [
  { name: 'desk_hours', where: 'alias = :desk' },
  { name: 'staff_passkeys', where: OF_STAFF },
  { name: 'staff_totp', where: OF_STAFF },
  { name: 'staff_sessions', where: `${OF_STAFF} and revoked_at is null` },
  // Shared replies belong to the whole cell.
  { name: 'saved_replies', where: `${OF_STAFF} and not shared` },
  {
    name: 'invites',
    where: INVITES,
    instead: {
      handler_alias: ':desk::text',
      // The others who created invites stay where they are.
      created_by: '(select s.id from staff s where s.id = invites.created_by and s.alias = :desk)',
    },
  },
  { name: 'conversations', where: 'handler_alias = :desk' },
  ...['devices', 'notes', 'blocks', 'media', 'push_due'].map((name) => ({ name, where: OF_CONVERSATION })),
  // The link that ends the mails leads to this cell, so it could not end them in the other one.
  {
    name: 'visitor_mails',
    where: `${OF_CONVERSATION} and mailed_at is null and not exists (
      select from graphile_worker.jobs j where j.key = '${REPLY_KEY_START}' || conversation_id)`,
  },
];

/** One table of the desk in SQL. */
export type DeskRows = { name: string; columns: string; select: string; remove: string };

export function deskRows(tables: readonly Table[], alias: string): DeskRows[] {
  return DESK_TABLES.map((table) => rowsOf(tables, alias, table));
}

export function deskMessages(tables: readonly Table[], alias: string): DeskRows {
  return rowsOf(tables, alias, { name: 'messages', where: OF_CONVERSATION });
}

/** The messages of these conversations. */
export function messageRows(tables: readonly Table[], ids: readonly string[]): DeskRows {
  const where = `conversation_id = any (${pg.escapeLiteral(`{${ids.join(',')}}`)}::uuid[])`;
  return rowsOf(tables, '', { name: 'messages', where });
}

function rowsOf(tables: readonly Table[], alias: string, { name, where, instead = {} }: DeskTable): DeskRows {
  const columns = tables.find((table) => table.name === name)?.columns;
  if (columns === undefined) throw new Error(`there is no table ${name}`);
  const shown = columns.map((column) => {
    const replaced = instead[column];
    return replaced === undefined ? quoteIdentifier(column) : `${replaced} as ${quoteIdentifier(column)}`;
  });
  const filled = (text: string): string => text.replaceAll(':desk', pg.escapeLiteral(alias));
  return {
    name,
    columns: columns.map(quoteIdentifier).join(', '),
    select: filled(`select ${shown.join(', ')} from ${name} where ${where}`),
    remove: filled(`delete from ${name} where ${where}`),
  };
}
