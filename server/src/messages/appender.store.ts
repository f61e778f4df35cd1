import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import type pg from 'pg';
import { violatedIndex } from '../platform/db/databaseErrors.ts';
import { isLeaving } from '../platform/db/fence.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { noopMetrics } from '../platform/metrics/noopMetrics.ts';
import type { AppendResult, Draft } from '../platform/ports/ports.ts';
import { type Asked, appendConnection, callAppend, isRepeat, type Row, settle } from './appendCall.store.ts';

/** The message may or may not be stored. Only a retry with the same id shows which. */
export class UnknownOutcome extends Error {
  constructor(cause: string) {
    super(`append not confirmed: ${cause}`);
    this.name = 'UnknownOutcome';
  }
}

/** There was no connection, so nothing is stored. The sender retries anyway. */
class NotSent extends UnknownOutcome {}

/** Maximum waiting messages per lane. More are rejected at once. */
const WAITING_MAX = 20_000;
/** If a new message would wait longer than this for its call, it is refused at once. Staff wait longer than visitors. */
const WAIT_MAX_MS = { visitor: 500, owner: 1_000 };
/** The weight of the newest call in the averages of a lane. */
const NEWEST = 0.2;
/** From this batch size on, a lane always has messages waiting, and background work delays them. */
const BUSY_BATCH = 8;
const BATCH_MAX = 100;
/** Maximum characters per call, so that long messages do not delay other senders. */
const BATCH_TEXT_MAX = 50 * MESSAGE_TEXT_MAX;

/**
 * Retries come in swarms, after a gateway or a network recovers. After one, this many calls look up repeats at once;
 * otherwise each call would be made twice, with an error in PostgreSQL's log.
 */
const LOOK_UPS_AFTER_A_REPEAT = 20;

type Waiting = Asked & { reject(error: UnknownOutcome): void; since: number };

/**
 * Batches messages without a timer: messages that arrive during a call go with the next one. An idle gateway adds no
 * delay; a busy one fills its batches.
 */
export class Appender {
  readonly #lanes: Lane[];

  constructor(databaseUrl: string, lanes: number, metrics = noopMetrics) {
    this.#lanes = Array.from({ length: lanes }, () => new Lane(databaseUrl, metrics));
  }

  /** Messages of one conversation share a lane, which keeps their order. */
  append(draft: Draft): Promise<AppendResult> {
    return this.#laneOf(draft.conversationId).append(draft);
  }

  /** Whether a message of this side should be refused now, because it would wait too long. */
  isOverloaded(conversationId: string, side: keyof typeof WAIT_MAX_MS): boolean {
    return this.#laneOf(conversationId).expectedWait() > WAIT_MAX_MS[side];
  }

  #laneOf(conversationId: string): Lane {
    const lane = this.#lanes[Number.parseInt(conversationId.slice(0, 4), 16) % this.#lanes.length];
    if (lane === undefined) throw new Error('an appender needs at least one lane');
    return lane;
  }

  /** Whether background work on the database should wait. */
  isBusy(): boolean {
    return this.#lanes.some((lane) => lane.isBusy());
  }

  /** The last call of a lane failed, so it is unknown whether PostgreSQL can store anything. */
  isInDoubt(): boolean {
    return this.#lanes.some((lane) => lane.inDoubt);
  }

  /** A test write succeeded. */
  endDoubt(): void {
    for (const lane of this.#lanes) lane.inDoubt = false;
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
  /** Remaining calls that look up repeats first. */
  #lookUps = 0;
  /** Remaining calls with one message each. */
  #alone = 0;
  /** Average milliseconds and messages of a call. */
  #callMs = 0;
  #callSize = 0;
  #running: Promise<void> | undefined;
  #closed = false;
  inDoubt = false;

  constructor(databaseUrl: string, metrics: Metrics) {
    this.#databaseUrl = databaseUrl;
    this.#metrics = metrics;
  }

  append(draft: Draft): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed || this.#waiting.length >= WAITING_MAX) {
        // Not counted as unconfirmed: that metric is for messages that may be stored.
        reject(new NotSent('not taken'));
        return;
      }
      this.#waiting.push({ draft, resolve, reject, since: performance.now() });
      this.#running ??= this.#run();
    });
  }

  /** Milliseconds that a new message would wait: for the calls before it, and at least as long as the oldest has. */
  expectedWait(): number {
    const [oldest] = this.#waiting;
    if (oldest === undefined) return 0;
    return Math.max((this.#waiting.length / BATCH_MAX) * this.#callMs, performance.now() - oldest.since);
  }

  isBusy(): boolean {
    return this.#running !== undefined && this.#callSize >= BUSY_BATCH;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#drop();
  }

  async #run(): Promise<void> {
    // Messages of the same event-loop turn go with the first call.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      for (const { draft } of batch) draft.span?.dequeued(batch.length);
      try {
        const rows = await this.#store(batch);
        for (const { draft } of batch) draft.span?.committed();
        this.inDoubt = false;
        settle(batch, rows);
      } catch (error) {
        if (isLeaving(error)) {
          this.#refuseLeaving(batch);
          continue;
        }
        this.inDoubt = true;
        await this.#drop();
        // Everything queued behind the failed batch fails too; otherwise a sender's second message could be stored
        // before the first.
        const cause =
          error instanceof UnknownOutcome
            ? error
            : new UnknownOutcome(error instanceof Error ? error.message : String(error));
        const failed = [...batch, ...this.#waiting.splice(0)];
        if (!(cause instanceof NotSent)) this.#metrics.unconfirmed(failed.length);
        for (const item of failed) item.reject(cause);
      }
    }
    this.#running = undefined;
  }

  /** A desk moves to another cell. Only its messages are refused; one message per call finds them. */
  #refuseLeaving(batch: Waiting[]): void {
    const [only, ...others] = batch;
    if (only === undefined || others.length > 0) {
      this.#waiting.unshift(...batch);
      this.#alone = batch.length;
      return;
    }
    const { conversationId } = only.draft;
    const { refused = [], kept = [] } = Object.groupBy(this.#waiting, ({ draft }) =>
      draft.conversationId === conversationId ? 'refused' : 'kept',
    );
    this.#waiting = kept;
    for (const item of [only, ...refused]) item.reject(new NotSent('its desk moves to another cell'));
  }

  #takeBatch(): Waiting[] {
    if (this.#alone > 0) {
      this.#alone -= 1;
      return this.#waiting.splice(0, 1);
    }
    const ids = new Set<string>();
    const answered = new Set<string>();
    const media = new Set<string>();
    let bytes = 0;
    for (const { draft } of this.#waiting) {
      bytes += draft.text.length;
      // The function compares with what was stored before the call, so the second must go with the next call.
      if (draft.after !== null && answered.has(draft.conversationId)) break;
      if (draft.mediaId !== null && media.has(draft.mediaId)) break;
      if (draft.mediaId !== null) media.add(draft.mediaId);
      if (draft.fromOwner) answered.add(draft.conversationId);
      // The function accepts each id once per call; a copy goes with the next call as a repeat.
      if (ids.size === BATCH_MAX || ids.has(draft.id) || (ids.size > 0 && bytes > BATCH_TEXT_MAX)) break;
      ids.add(draft.id);
    }
    // The function locks conversations in this order. Sorting keeps the order within each.
    return this.#waiting.splice(0, ids.size).sort(byConversation);
  }

  async #store(batch: Waiting[]): Promise<Row[]> {
    if (this.#lookUps > 0) {
      this.#lookUps -= 1;
      return await this.#lookUp(batch);
    }
    try {
      return await this.#call(batch, false);
    } catch (error) {
      // The batch contains a repeat, or something unusual. Nothing of it is stored.
      if (violatedIndex(error) === undefined) throw error;
      return await this.#lookUp(batch);
    }
  }

  async #lookUp(batch: Waiting[]): Promise<Row[]> {
    const rows = await this.#call(batch, true);
    if (rows.some(isRepeat)) this.#lookUps = LOOK_UPS_AFTER_A_REPEAT;
    return rows;
  }

  async #call(batch: Waiting[], lookUp: boolean): Promise<Row[]> {
    this.#connection ??= await this.#connect();
    const began = performance.now();
    try {
      return await callAppend(this.#connection, batch, lookUp);
    } finally {
      const ms = performance.now() - began;
      this.#callMs += NEWEST * (ms - this.#callMs);
      this.#callSize += NEWEST * (batch.length - this.#callSize);
      this.#metrics.appended(batch.length, ms / 1_000);
    }
  }

  async #connect(): Promise<pg.Client> {
    const connection = appendConnection(this.#databaseUrl);
    connection.on('error', () => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    try {
      await connection.connect();
    } catch (error) {
      throw new NotSent(error instanceof Error ? error.message : String(error));
    }
    return connection;
  }

  /** A failed connection is never reused: a late answer would belong to an earlier call. */
  async #drop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return;
    // An unresponsive server must not delay the next batch.
    await Promise.race([connection.end().catch(() => {}), new Promise((done) => setTimeout(done, 100))]);
  }
}

function byConversation({ draft: left }: Waiting, { draft: right }: Waiting): number {
  return left.conversationId < right.conversationId ? -1 : left.conversationId > right.conversationId ? 1 : 0;
}
