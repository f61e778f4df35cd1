import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import pg from 'pg';
import { type MediaColumns, messageMedia } from '../media/media.ts';

/** A message on its way into PostgreSQL. Every field but text and id comes from a verified caller. */
export type Draft = {
  conversationId: string;
  id: string;
  text: string;
  fromOwner: boolean;
  authorId: string;
  /** The desk that a member of staff answers for; null for a visitor or an admin. */
  alias: string | null;
  /** The last number that a member of staff had seen when writing; null is unguarded, as every visitor's is. */
  after: number | null;
  /** The image that it carries in the place of text. */
  mediaId: string | null;
  /** Hears when its batch goes and when it is answered; only a message that is followed has one. */
  span?: { dequeued(batchSize: number): void; committed(): void } | undefined;
};

export type AppendResult =
  | {
      outcome: 'stored';
      seq: number;
      createdAt: number;
      unread: number;
      handlerAlias: string;
      rev: number;
      /** The image that it carries; undefined for words. */
      media: MessageMedia | undefined;
    }
  | { outcome: 'repeated'; seq: number; createdAt: number }
  | { outcome: 'idReused' | 'closed' | 'outdated' | 'mediaRefused' | 'notFound' };

const CALL_TIMEOUT_MS = 10_000;

const CALL = {
  name: 'append',
  text: 'select item, outcome, seq, created_ms, unread, handler_alias, rev, picture from append_messages($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[], $5::text[], $6::text[], $7::integer[], $8::uuid[], $9)',
};

/**
 * How the append function must be planned: once, and by index. With few rows or no statistics the
 * planner would rather scan whole partitions.
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

/** Outcomes of append_messages, as its migration numbers them. */
const STORED = 0;
const REPEATED = 1;
const ID_REUSED = 2;
const CLOSED = 3;
const OUTDATED = 5;
const MEDIA_REFUSED = 6;

/** A message, and who waits to hear what became of it. */
export type Asked = { draft: Draft; resolve(result: AppendResult): void };

/** Of its own, and not connected yet: no other query may run as the append function does. */
export function appendConnection(databaseUrl: string): pg.Client {
  return new pg.Client({
    connectionString: databaseUrl,
    application_name: 'settee-append',
    options: APPEND_SESSION,
    connectionTimeoutMillis: CALL_TIMEOUT_MS,
    query_timeout: CALL_TIMEOUT_MS,
    statement_timeout: CALL_TIMEOUT_MS,
    keepAlive: true,
  });
}

/** One call for the whole batch. Only what comes back without an error or a warning is stored for sure. */
export async function callAppend(
  connection: pg.Client,
  batch: readonly Asked[],
  lookUp: boolean,
): Promise<Row[]> {
  let warning: string | undefined;
  const onNotice = (notice: { code?: string | undefined; message?: string | undefined }) => {
    // After a cancelled wait for the standby the query still "succeeds", with only this to tell.
    if (notice.code?.startsWith('01')) warning = notice.message ?? notice.code;
  };
  connection.on('notice', onNotice);
  try {
    const { rows } = await connection.query<Row>({
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
    } as pg.QueryArrayConfig);
    if (warning !== undefined) throw new Error(warning);
    return rows as unknown as Row[];
  } finally {
    connection.off('notice', onNotice);
  }
}

export function isRepeat([, outcome]: Row): boolean {
  return outcome === REPEATED;
}

/** Tells each what became of its message. */
export function settle(batch: readonly Asked[], rows: Row[]): void {
  for (const [item, outcome, seq, createdMs, unread, handlerAlias, rev, picture] of rows) {
    const waiting = batch[item - 1];
    if (waiting === undefined) continue;
    const createdAt = Math.round(createdMs);
    switch (outcome) {
      case STORED:
        waiting.resolve({
          outcome: 'stored',
          seq,
          createdAt,
          unread,
          handlerAlias,
          rev,
          media: picture === null ? undefined : messageMedia(waiting.draft.conversationId, picture),
        });
        break;
      case REPEATED:
        waiting.resolve({ outcome: 'repeated', seq, createdAt });
        break;
      case ID_REUSED:
        waiting.resolve({ outcome: 'idReused' });
        break;
      case CLOSED:
        waiting.resolve({ outcome: 'closed' });
        break;
      case OUTDATED:
        waiting.resolve({ outcome: 'outdated' });
        break;
      case MEDIA_REFUSED:
        waiting.resolve({ outcome: 'mediaRefused' });
        break;
      default:
        waiting.resolve({ outcome: 'notFound' });
    }
  }
}
