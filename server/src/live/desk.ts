import type { Down } from '@settee/protocol/frames/down';
import type { QueueRow } from '@settee/protocol/model/conversation';
import { PREVIEW_MAX } from '@settee/protocol/model/conversation';
import { MEDIA_PREVIEW, type Message } from '@settee/protocol/model/message';
import type { App } from '../app.ts';
import { type QueueHead, readQueue, readQueueRows } from '../db/conversation/queue.ts';
import { reason } from '../log/log.ts';
import type { Subscription } from '../ports.ts';
import type { Connection } from './connection.ts';
import { encode } from './encode.ts';
import { PresentVisitors } from './presentVisitors.ts';

/** Changes of a queue go out together, a few times a second. */
const FLUSH_MS = 100;

/** One alias's queue, for the consoles that watch it at this gateway. */
export class Desk {
  readonly alias: string;
  readonly connections = new Set<Connection>();
  /** Which visitors have a page open, as the gateways tell it. */
  readonly visitors = new PresentVisitors((conversationId) => {
    this.#moved.add(conversationId);
    this.#flushSoon();
  });
  subscription: Subscription | undefined;
  readonly #app: App;
  readonly #rows = new Map<string, QueueRow>();
  readonly #changed = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #toRead = new Set<string>();
  /** Whose visitor came or went. */
  readonly #moved = new Set<string>();
  #flushPlanned = false;
  /** Reads run one after another: an older answer must not replace a newer one. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(app: App, alias: string) {
    this.#app = app;
    this.alias = alias;
  }

  async open(connection: Connection): Promise<void> {
    await this.#inTurn(async () => {
      const before = new Map(this.#rows);
      const found = new Map(
        (await readQueue(this.#app.db, this.alias)).map((row) => [row.conversationId, row]),
      );
      for (const id of new Set([...before.keys(), ...found.keys()])) {
        const row = found.get(id);
        // Whoever was here before knows it already.
        if (row === undefined || !isAt(before.get(id), row)) this.#take(id, row, before.get(id));
      }
      const rows = [...this.#rows.values()].toSorted(newestFirst);
      // Nobody else is here who would have to be told what changed.
      if (this.connections.size === 0) this.#changed.clear();
      // Who left meanwhile will not leave again.
      if (!connection.isOpen()) return;
      connection.tell({ type: 'queue', rows });
      connection.tell({ type: 'visitors', here: this.visitors.all(), left: [] });
      this.connections.add(connection);
    });
  }

  /** A message moves its row without a read from the database. */
  hear(message: Message, unread: number): void {
    const row = this.#rows.get(message.conversationId);
    if (row === undefined) {
      this.reread(message.conversationId);
      return;
    }
    if (message.seq <= row.head) return;
    // Whether somebody waits depends on every message between: one that was not heard must be read.
    if (message.seq > row.head + 1) {
      this.reread(message.conversationId);
      return;
    }
    const answered = message.sender === 'owner';
    this.#rows.set(message.conversationId, {
      ...row,
      lastMessageAt: message.createdAt,
      lastMessage: message.mediaType === undefined ? previewOf(message.text) : MEDIA_PREVIEW,
      lastSender: message.sender,
      lastAuthor: null,
      unread,
      head: message.seq,
      waitingSince: answered ? null : (row.waitingSince ?? message.createdAt),
      markedUnread: row.markedUnread && !answered,
      snoozedUntil: answered ? row.snoozedUntil : null,
    });
    // A message does not carry its author's name, which no visitor may learn.
    if (answered) this.#toRead.add(message.conversationId);
    this.#show(message.conversationId);
  }

  reread(conversationId: string): void {
    this.#toRead.add(conversationId);
    this.#flushSoon();
  }

  /** Compares with where PostgreSQL says the alias's open conversations stand. */
  compare(standing: Map<string, QueueHead>): void {
    for (const [id, now] of standing) {
      if (!isAt(this.#rows.get(id), now)) this.#rereadMissed(id);
    }
    for (const id of this.#rows.keys()) {
      if (!standing.has(id)) this.#rereadMissed(id);
    }
  }

  #rereadMissed(conversationId: string): void {
    this.#app.metrics.swept('queue_row', 1);
    this.reread(conversationId);
  }

  #show(conversationId: string): void {
    this.#changed.add(conversationId);
    this.#flushSoon();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  #flushSoon(): void {
    if (this.#flushPlanned) return;
    this.#flushPlanned = true;
    this.#app.clock.after(FLUSH_MS, () => {
      this.#inTurn(() => this.#flush()).catch((error: unknown) => {
        // The next sweep finds the same difference.
        this.#app.log.warn({ reason: reason(error) }, 'queue not refreshed');
      });
    });
  }

  async #flush(): Promise<void> {
    // What changes from here on is for the next flush, which waits for this one to end.
    this.#flushPlanned = false;
    if (this.#toRead.size > 0) await this.#read();
    const rows = [...this.#changed].flatMap((id) => this.#rows.get(id) ?? []);
    const gone = [...this.#gone];
    this.#changed.clear();
    this.#gone.clear();
    if (rows.length > 0 || gone.length > 0) this.#tell({ type: 'queueChange', rows, gone });
    if (this.#moved.size === 0) return;
    const { here = [], left = [] } = Object.groupBy(this.#moved, (id) =>
      this.visitors.has(id) ? 'here' : 'left',
    );
    this.#moved.clear();
    this.#tell({ type: 'visitors', here, left });
  }

  #tell(frame: Down): void {
    const encoded = encode(frame);
    for (const connection of this.connections) connection.tellEncoded(encoded);
  }

  async #read(): Promise<void> {
    const ids = [...this.#toRead];
    this.#toRead.clear();
    const before = new Map(ids.map((id) => [id, this.#rows.get(id)]));
    const found = new Map(
      (await readQueueRows(this.#app.db, this.alias, ids)).map((row) => [row.conversationId, row]),
    );
    for (const id of ids) this.#take(id, found.get(id), before.get(id));
  }

  /** Takes what was read of a conversation whose row was `before` when the read began. */
  #take(id: string, read: QueueRow | undefined, before: QueueRow | undefined): void {
    const known = this.#rows.get(id);
    if (known !== undefined && known !== before && (read === undefined || read.head < known.head)) {
      // A message came while the row was being read, and the answer is older than the message.
      this.reread(id);
    } else if (read !== undefined) {
      this.#rows.set(id, read);
      this.#gone.delete(id);
      this.#show(id);
    } else {
      // Also one that was not in the queue: it may stand in a list of closed ones, and be deleted.
      this.#rows.delete(id);
      this.#gone.add(id);
      this.#flushSoon();
    }
  }
}

/** Whether the row shows where the conversation stands, or what came after. */
function isAt(
  row: QueueRow | undefined,
  now: Pick<QueueHead, 'head' | 'rev' | 'markedUnread' | 'snoozedUntil'>,
): boolean {
  return (
    row !== undefined &&
    row.head >= now.head &&
    row.rev === now.rev &&
    row.markedUnread === now.markedUnread &&
    row.snoozedUntil === now.snoozedUntil
  );
}

function newestFirst(a: QueueRow, b: QueueRow): number {
  return b.lastMessageAt - a.lastMessageAt || (a.conversationId < b.conversationId ? -1 : 1);
}

/** Cut between code points, as the database cuts it: half of one would be drawn as a question mark. */
export function previewOf(text: string): string {
  return Array.from(text.slice(0, 2 * PREVIEW_MAX))
    .slice(0, PREVIEW_MAX)
    .join('');
}
