import type pg from 'pg';
import { confirmed } from '../platform/db/confirmed.ts';
import { PrimaryClient } from '../platform/db/primaryClient.ts';
import type { AppendResult, Draft } from '../platform/ports/ports.ts';
import { type MediaColumns, messageMedia } from './messageMedia.store.ts';

const CALL_TIMEOUT_MS = 10_000;

const CALL = {
  name: 'append',
  text: 'select item, outcome, seq, created_ms, unread, handler_alias, rev, picture from append_messages($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[], $5::text[], $6::text[], $7::integer[], $8::uuid[], $9)',
};

/**
 * The append function must be planned once and by index. With few rows or no statistics the planner would scan whole
 * partitions.
 */
export const APPEND_SESSION = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'jit=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

export type Row = [
  item: number,
  outcome: number,
  seq: number,
  createdMs: number,
  unread: number,
  handlerAlias: string,
  rev: number,
  picture: MediaColumns | null,
];

/** Outcomes of append_messages, as numbered in server/sql/append_messages.sql. */
const STORED = 0;
const REPEATED = 1;
/** Any other was not found. */
const REFUSALS = { 2: 'idReused', 3: 'closed', 5: 'outdated', 6: 'mediaRefused' } as const;

/** A message with the callback for its result. */
export type Asked = { draft: Draft; resolve(result: AppendResult): void };

/** A separate connection, because its planner settings suit no other query. Not connected yet. */
export function appendConnection(databaseUrl: string): pg.Client {
  return new PrimaryClient({
    connectionString: databaseUrl,
    application_name: 'settee-append',
    options: APPEND_SESSION,
    connectionTimeoutMillis: CALL_TIMEOUT_MS,
    query_timeout: CALL_TIMEOUT_MS,
    statement_timeout: CALL_TIMEOUT_MS,
    keepAlive: true,
  });
}

/** One call for the whole batch. Only a result without an error or a warning is certainly stored. */
export async function callAppend(
  connection: pg.Client,
  batch: readonly Asked[],
  lookUp: boolean,
): Promise<Row[]> {
  const { rows } = await confirmed(connection, () =>
    connection.query<Row>({
      ...CALL,
      rowMode: 'array',
      values: [
        batch.map((item) => item.draft.conversationId),
        batch.map((item) => item.draft.id),
        batch.map((item) => item.draft.fromOwner),
        batch.map((item) => item.draft.authorId),
        batch.map((item) => item.draft.alias),
        batch.map((item) => item.draft.text),
        batch.map((item) => item.draft.after),
        batch.map((item) => item.draft.mediaId),
        lookUp,
      ],
    } as pg.QueryArrayConfig),
  );
  return rows as unknown as Row[];
}

export function isRepeat([, outcome]: Row): boolean {
  return outcome === REPEATED;
}

export function settle(batch: readonly Asked[], rows: Row[]): void {
  for (const [item, outcome, seq, createdMs, unread, handlerAlias, rev, picture] of rows) {
    const waiting = batch[item - 1];
    if (waiting === undefined) continue;
    const createdAt = Math.round(createdMs);
    if (outcome === STORED) {
      const media = picture === null ? undefined : messageMedia(waiting.draft.conversationId, picture);
      waiting.resolve({ outcome: 'stored', seq, createdAt, unread, handlerAlias, rev, media });
    } else if (outcome === REPEATED) waiting.resolve({ outcome: 'repeated', seq, createdAt });
    else waiting.resolve({ outcome: REFUSALS[outcome as keyof typeof REFUSALS] ?? 'notFound' });
  }
}
