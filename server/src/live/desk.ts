import type { Down } from '@settee/protocol/frames/down';
import type { QueueRow } from '@settee/protocol/model/conversation';
import { PREVIEW_MAX } from '@settee/protocol/model/conversation';
import { MEDIA_PREVIEW, type Message } from '@settee/protocol/model/message';
import {
  countQueue,
  newestFirst,
  type QueueCounts,
  type QueueKey,
  type QueueShow,
  queuePage,
  queuePageSize,
} from '@settee/protocol/model/queue';
import type { StaffSettings } from '@settee/protocol/model/staffSettings';
import { type QueueHead, readQueue, readQueueRows } from '../conversations/queue.store.ts';
import type { App } from '../platform/app.ts';
import { Limiter } from '../platform/limits/concurrency.ts';
import { logFailure } from '../platform/log/log.ts';
import type { Subscription } from '../platform/ports/ports.ts';
import { type Connection, encode } from './connection.ts';
import type { StaffActivity } from './hint.ts';
import { PresentVisitors } from './presentVisitors.ts';

type DeskFrame = Extract<Down, { type: 'queue' | 'queueChange' | 'queuePage' | 'visitors' }>;

/** Changes of a queue are collected and sent a few times per second. */
const FLUSH_MS = 100;

/** The queue of one alias, for the consoles that watch it at this gateway. */
export class Desk {
  readonly alias: string;
  readonly connections = new Set<Connection>();
  /** Visitors with an open page, as reported by the gateways. */
  readonly visitors = new PresentVisitors((conversationId) => {
    this.#visitorChanges.add(conversationId);
    this.#flushSoon();
  });
  subscription: Subscription | undefined;
  readonly #app: App;
  readonly #rows = new Map<string, QueueRow>();
  readonly #changed = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #toRead = new Set<string>();
  /** Conversations whose visitor arrived or left. */
  readonly #visitorChanges = new Set<string>();
  #flushPlanned = false;
  /** Consoles that watch several desks: every frame names this one. */
  readonly #named = new WeakSet<Connection>();
  /** Consoles that got a part of the queue, and get the counts of the whole. */
  readonly #partial = new WeakSet<Connection>();
  #sentCounts = '{}';
  readonly #settings: () => StaffSettings;
  /** Reads run one after another: an older result must not replace a newer one. */
  readonly #reads = new Limiter(1);

  constructor(app: App, alias: string, settings: () => StaffSettings) {
    this.#app = app;
    this.alias = alias;
    this.#settings = settings;
  }

  /** `desks`: how many the console watches. */
  async open(connection: Connection, { paged, desks }: { paged: boolean; desks: number }): Promise<void> {
    await this.#reads.run(async () => {
      const before = new Map(this.#rows);
      const found = new Map(
        (await readQueue(this.#app.db, this.alias)).map((row) => [row.conversationId, row]),
      );
      for (const id of new Set([...before.keys(), ...found.keys()])) {
        const row = found.get(id);
        // Earlier consoles have unchanged rows already.
        if (row === undefined || !isCurrent(before.get(id), row)) this.#apply(id, row, before.get(id));
      }
      // There is no other console to send the changes to.
      if (this.connections.size === 0) this.#changed.clear();
      // A socket that closed meanwhile must not be added: nothing would remove it.
      if (!connection.isOpen()) return;
      this.connections.add(connection);
      if (desks > 1) this.#named.add(connection);
      else this.#named.delete(connection);
      this.#sendQueue(connection, paged, queuePageSize(desks));
      connection.send(this.#addressed(connection, { type: 'visitors', here: this.visitors.all(), left: [] }));
    });
  }

  #addressed(connection: Connection, frame: DeskFrame): DeskFrame {
    return this.#named.has(connection) ? { ...frame, alias: this.alias } : frame;
  }

  #sendQueue(connection: Connection, paged: boolean, size: number): void {
    const first = queuePage(this.#rows.values(), 'all', undefined, size);
    if (!paged || !first.more) {
      const rows = [...this.#rows.values()].toSorted(newestFirst);
      connection.send(this.#addressed(connection, { type: 'queue', rows }));
      return;
    }
    this.#partial.add(connection);
    connection.send(this.#addressed(connection, { type: 'queue', rows: first.rows, ...this.#counts() }));
    for (const id of connection.watching) this.sendRow(connection, id);
  }

  /** From memory, so that the page and the changes on the same socket are in order. */
  sendPage(
    connection: Connection,
    { show, after, size }: { show: QueueShow; after: QueueKey | undefined; size: number },
  ): void {
    if (!this.connections.has(connection)) return;
    const page = queuePage(this.#rows.values(), show, after, size);
    connection.answer(this.#addressed(connection, { type: 'queuePage', show, ...page }));
  }

  /** The row of an opened conversation, which may be on no page that the console has. */
  sendRow(connection: Connection, conversationId: string): void {
    const row = this.#rows.get(conversationId);
    if (!this.#partial.has(connection) || row === undefined || !this.connections.has(connection)) return;
    connection.send(this.#addressed(connection, { type: 'queueChange', rows: [row], gone: [] }));
  }

  /** Time and settings change the counts too. */
  recount(): void {
    if (JSON.stringify(this.#counts()) !== this.#sentCounts) this.#broadcastChange([], []);
  }

  #counts(): { counts?: QueueCounts } {
    if (![...this.connections].some((connection) => this.#partial.has(connection))) return {};
    return { counts: countQueue([...this.#rows.values()], this.#app.clock.now(), this.#settings()) };
  }

  #broadcastChange(rows: QueueRow[], gone: string[]): void {
    const counts = this.#counts();
    this.#sentCounts = JSON.stringify(counts);
    this.#broadcast({ type: 'queueChange', rows, gone, ...counts });
  }

  /** Updates the row of a new message without reading from the database. */
  receive(message: Message, unread: number): void {
    const row = this.#rows.get(message.conversationId);
    if (row === undefined) {
      this.reread(message.conversationId);
      return;
    }
    if (message.seq <= row.head) return;
    // Whether the visitor waits depends on every message, so a missed one must be read.
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
    // The author's name must be read: messages do not contain it, because visitors see them.
    if (answered) this.#toRead.add(message.conversationId);
    this.#markChanged(message.conversationId);
  }

  /** For the rows of the queue. Whoever watches the conversation gets it from the room. Never for the same person. */
  sendActivity(conversationId: string, { staffId, name, doing }: StaffActivity): void {
    const frame = encode({ type: 'colleague', conversationId, staffId, name, doing });
    for (const connection of this.connections) {
      const { caller, watching } = connection;
      if (caller.kind === 'staff' && caller.staffId !== staffId && !watching.includes(conversationId))
        connection.sendEncoded(frame);
    }
  }

  reread(conversationId: string): void {
    this.#toRead.add(conversationId);
    this.#flushSoon();
  }

  /** Compares the rows with the open conversations in PostgreSQL. */
  compare(heads: Map<string, QueueHead>): void {
    // The last read failed. The heads do not show the author's name.
    if (this.#toRead.size > 0) this.#flushSoon();
    for (const [id, now] of heads) {
      if (!isCurrent(this.#rows.get(id), now)) this.#rereadMissed(id);
    }
    for (const id of this.#rows.keys()) {
      if (!heads.has(id)) this.#rereadMissed(id);
    }
    this.recount();
  }

  #rereadMissed(conversationId: string): void {
    this.#app.metrics.swept('queue_row', 1);
    this.reread(conversationId);
  }

  #markChanged(conversationId: string): void {
    this.#changed.add(conversationId);
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#flushPlanned) return;
    this.#flushPlanned = true;
    this.#app.clock.after(FLUSH_MS, () => {
      // After a failure, the next sweep reads again.
      void logFailure(this.#app.log, 'queue not refreshed', () => this.#reads.run(() => this.#flush()));
    });
  }

  async #flush(): Promise<void> {
    // Changes from here on belong to the next flush.
    this.#flushPlanned = false;
    try {
      if (this.#toRead.size > 0) await this.#read();
    } finally {
      this.#sendChanges();
    }
  }

  #sendChanges(): void {
    const rows = [...this.#changed].flatMap((id) => this.#rows.get(id) ?? []);
    const gone = [...this.#gone];
    this.#changed.clear();
    this.#gone.clear();
    if (rows.length > 0 || gone.length > 0) this.#broadcastChange(rows, gone);
    if (this.#visitorChanges.size === 0) return;
    const { here = [], left = [] } = Object.groupBy(this.#visitorChanges, (id) =>
      this.visitors.has(id) ? 'here' : 'left',
    );
    this.#visitorChanges.clear();
    this.#broadcast({ type: 'visitors', here, left });
  }

  #broadcast(frame: DeskFrame): void {
    const encoded = new Map<boolean, Buffer>();
    for (const connection of this.connections) {
      const isNamed = this.#named.has(connection);
      const bytes = encoded.get(isNamed) ?? encode(this.#addressed(connection, frame));
      encoded.set(isNamed, bytes);
      connection.sendEncoded(bytes);
    }
  }

  async #read(): Promise<void> {
    const ids = [...this.#toRead];
    this.#toRead.clear();
    const before = new Map(ids.map((id) => [id, this.#rows.get(id)]));
    try {
      const read = await readQueueRows(this.#app.db, this.alias, ids);
      const found = new Map(read.map((row) => [row.conversationId, row]));
      for (const id of ids) this.#apply(id, found.get(id), before.get(id));
    } catch (error) {
      for (const id of ids) this.#toRead.add(id);
      throw error;
    }
  }

  /** Applies the result of a read that began when the row was `before`. */
  #apply(id: string, read: QueueRow | undefined, before: QueueRow | undefined): void {
    const known = this.#rows.get(id);
    if (known !== undefined && known !== before && (read === undefined || read.head < known.head)) {
      // A message arrived during the read, and the result is older.
      this.reread(id);
    } else if (read !== undefined) {
      this.#rows.set(id, read);
      this.#gone.delete(id);
      this.#markChanged(id);
    } else {
      // Also when it was not in the queue: the list of closed conversations may show it.
      this.#rows.delete(id);
      this.#gone.add(id);
      this.#flushSoon();
    }
  }
}

/** Whether the row is at least as new as the head. */
function isCurrent(
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

/** Cut between code points, like the database does. */
export function previewOf(text: string): string {
  if (text.length <= PREVIEW_MAX) return text;
  return Array.from(text.slice(0, 2 * PREVIEW_MAX))
    .slice(0, PREVIEW_MAX)
    .join('');
}
