import { MESSAGE_TEXT_MAX } from '@settee/protocol/message';
import type { MessageMedia } from '@settee/protocol/messageMedia';
import pg from 'pg';
import type { Metrics } from '../metrics/metrics.ts';
import { silentMetrics } from '../metrics/silentMetrics.ts';
import { type MediaColumns, messageMedia } from './media.ts';
import { violatedIndex } from './uniqueViolation.ts';

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
  trail?: { taken(batchSize: number): void; answered(): void } | undefined;
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

/** The message may or may not be stored. Only a repeat with the same id will tell. */
export class UnknownOutcome extends Error {
  constructor(cause: string) {
    super(`append not confirmed: ${cause}`);
    this.name = 'UnknownOutcome';
  }
}

/** Past this many waiting messages in one lane, new ones are turned away before they cost anything. */
const WAITING_MAX = 20_000;
const BATCH_MAX = 100;
const CALL_TIMEOUT_MS = 10_000;
/** Bytes of text in one call: a hundred long messages must not hold every other sender for long. */
const BATCH_TEXT_MAX = 50 * MESSAGE_TEXT_MAX;

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

/**
 * Repeats come in swarms, when a gateway or a network came back: after one, so many calls look up at
 * once. Otherwise each would be made twice, with an error in PostgreSQL's log between.
 */
const LOOK_UPS_AFTER_A_REPEAT = 20;

type Row = [
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

type Waiting = { draft: Draft; resolve(result: AppendResult): void; reject(error: UnknownOutcome): void };

/**
 * Turns single messages into batches without a timer: while a call is under way, what arrives waits
 * and goes with the next. An idle gateway adds no delay; a busy one fills its batches by itself.
 */
export class Appender {
  readonly #lanes: Lane[];

  constructor(databaseUrl: string, lanes: number, metrics = silentMetrics) {
    this.#lanes = Array.from({ length: lanes }, () => new Lane(databaseUrl, metrics));
  }

  /** Messages of one conversation always share a lane, so their order and their hints keep together. */
  append(draft: Draft): Promise<AppendResult> {
    const lane = this.#lanes[Number.parseInt(draft.conversationId.slice(0, 4), 16) % this.#lanes.length];
    if (lane === undefined) throw new Error('an appender needs at least one lane');
    return lane.append(draft);
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }
}

/** One connection, one call at a time. */
class Lane {
  readonly #databaseUrl: string;
  readonly #metrics: Metrics;
  #waiting: Waiting[] = [];
  #connection: pg.Client | undefined;
  /** Calls that still look for repeats first. */
  #lookUps = 0;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(databaseUrl: string, metrics: Metrics) {
    this.#databaseUrl = databaseUrl;
    this.#metrics = metrics;
  }

  append(draft: Draft): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed || this.#waiting.length >= WAITING_MAX) {
        // Not counted as unconfirmed: that alarm is for what may be stored, and this is not.
        reject(new UnknownOutcome('not taken'));
        return;
      }
      this.#waiting.push({ draft, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#drop();
  }

  async #run(): Promise<void> {
    // What arrives in the same turn of the event loop goes with the first call.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      for (const { draft } of batch) draft.trail?.taken(batch.length);
      try {
        const rows = await this.#store(batch);
        for (const { draft } of batch) draft.trail?.answered();
        settle(batch, rows);
      } catch (error) {
        await this.#drop();
        // Whatever waits behind the failed batch fails with it: were it stored now, a sender's
        // second message would come before the first.
        const cause = new UnknownOutcome(error instanceof Error ? error.message : String(error));
        const unknown = [...batch, ...this.#waiting.splice(0)];
        this.#metrics.unconfirmed(unknown.length);
        for (const item of unknown) item.reject(cause);
      }
    }
    this.#running = undefined;
  }

  #takeBatch(): Waiting[] {
    const ids = new Set<string>();
    const answered = new Set<string>();
    const media = new Set<string>();
    let bytes = 0;
    for (const { draft } of this.#waiting) {
      bytes += draft.text.length;
      // Both would be judged by what was stored before either: the second must see the first.
      if (draft.after !== null && answered.has(draft.conversationId)) break;
      if (draft.mediaId !== null && media.has(draft.mediaId)) break;
      if (draft.mediaId !== null) media.add(draft.mediaId);
      if (draft.fromOwner) answered.add(draft.conversationId);
      // The function takes each id once a call; a copy that came meanwhile is the next call's repeat.
      if (ids.size === BATCH_MAX || ids.has(draft.id) || (ids.size > 0 && bytes > BATCH_TEXT_MAX)) break;
      ids.add(draft.id);
    }
    return this.#waiting.splice(0, ids.size);
  }

  async #store(batch: Waiting[]): Promise<Row[]> {
    if (this.#lookUps > 0) {
      this.#lookUps -= 1;
      return await this.#lookUp(batch);
    }
    try {
      return await this.#call(batch, false);
    } catch (error) {
      if (violatedIndex(error) === undefined) throw error;
      // There is a repeat among them, and nothing of the batch is stored.
      return await this.#lookUp(batch);
    }
  }

  async #lookUp(batch: Waiting[]): Promise<Row[]> {
    const rows = await this.#call(batch, true);
    if (rows.some(([, outcome]) => outcome === REPEATED)) this.#lookUps = LOOK_UPS_AFTER_A_REPEAT;
    return rows;
  }

  async #call(batch: Waiting[], lookUp: boolean): Promise<Row[]> {
    this.#connection ??= await this.#connect();
    const connection = this.#connection;
    const began = performance.now();
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
      this.#metrics.appended(batch.length, (performance.now() - began) / 1_000);
    }
  }

  async #connect(): Promise<pg.Client> {
    const connection = new pg.Client({
      connectionString: this.#databaseUrl,
      application_name: 'settee-append',
      options: APPEND_SESSION,
      connectionTimeoutMillis: CALL_TIMEOUT_MS,
      query_timeout: CALL_TIMEOUT_MS,
      statement_timeout: CALL_TIMEOUT_MS,
      keepAlive: true,
    });
    connection.on('error', () => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    await connection.connect();
    return connection;
  }

  /** A connection that failed is never used again: what it still answers belongs to an earlier call. */
  async #drop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return;
    // A server that does not answer must not hold up the next batch.
    await Promise.race([connection.end().catch(() => {}), new Promise((done) => setTimeout(done, 100))]);
  }
}

function settle(batch: Waiting[], rows: Row[]): void {
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
