import type { QueueRow } from '@settee/protocol/conversation';
import { PREVIEW_MAX } from '@settee/protocol/conversation';
import { MEDIA_PREVIEW, type Message } from '@settee/protocol/message';
import type { App } from '../app.ts';
import { type QueueHead, readQueue, readQueueRows } from '../db/queue.ts';
import { reason } from '../log.ts';
import type { Subscription } from '../ports.ts';
import type { Connection } from './connection.ts';
import { encode } from './encode.ts';

/** A queue is looked at, not listened to: its changes go out together, a few times a second. */
const FLUSH_MS = 100;

/** One alias's queue, for the consoles that watch it at this gateway. */
export class Desk {
  readonly alias: string;
  readonly connections = new Set<Connection>();
  subscription: Subscription | undefined;
  readonly #app: App;
  readonly #rows = new Map<string, QueueRow>();
  readonly #changed = new Set<string>();
  readonly #toRead = new Set<string>();
  #flushing = false;

  constructor(app: App, alias: string) {
    this.#app = app;
    this.alias = alias;
  }

  async open(connection: Connection): Promise<void> {
    this.connections.add(connection);
    const rows = await readQueue(this.#app.db, this.alias);
    for (const row of rows) this.#rows.set(row.conversationId, row);
    connection.tell({ type: 'queue', rows });
  }

  /** A message moves its row without a look at the database. */
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
      unread,
      head: message.seq,
      waitingSince: answered ? null : (row.waitingSince ?? message.createdAt),
      markedUnread: row.markedUnread && !answered,
    });
    this.#changed.add(message.conversationId);
    this.#flushSoon();
  }

  reread(conversationId: string): void {
    this.#toRead.add(conversationId);
    this.#flushSoon();
  }

  /** Compares with where PostgreSQL says the alias's open conversations stand. */
  compare(standing: Map<string, QueueHead>): void {
    for (const [id, now] of standing) {
      const row = this.#rows.get(id);
      const same = row?.rev === now.rev && row.markedUnread === now.markedUnread;
      if (!same || row.head < now.head) this.#rereadMissed(id);
    }
    for (const id of this.#rows.keys()) {
      if (!standing.has(id)) this.#rereadMissed(id);
    }
  }

  #rereadMissed(conversationId: string): void {
    this.#app.metrics.swept('queue_row', 1);
    this.reread(conversationId);
  }

  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    this.#app.clock.after(FLUSH_MS, () => {
      this.#flushing = false;
      this.#flush().catch((error: unknown) => {
        // The next sweep finds the same difference.
        this.#app.log.warn({ reason: reason(error) }, 'queue not refreshed');
      });
    });
  }

  async #flush(): Promise<void> {
    const gone: string[] = [];
    if (this.#toRead.size > 0) {
      const ids = [...this.#toRead];
      this.#toRead.clear();
      const found = new Map(
        (await readQueueRows(this.#app.db, this.alias, ids)).map((row) => [row.conversationId, row]),
      );
      for (const id of ids) {
        const row = found.get(id);
        if (row !== undefined) {
          this.#rows.set(id, row);
          this.#changed.add(id);
        } else if (this.#rows.delete(id)) {
          this.#changed.delete(id);
          gone.push(id);
        }
      }
    }
    const rows = [...this.#changed].flatMap((id) => this.#rows.get(id) ?? []);
    this.#changed.clear();
    if (rows.length === 0 && gone.length === 0) return;
    const frame = encode({ type: 'queueChange', rows, gone });
    for (const connection of this.connections) connection.tellEncoded(frame);
  }
}

/** Cut between code points, as the database cuts it: half of one would be drawn as a question mark. */
export function previewOf(text: string): string {
  return Array.from(text.slice(0, 2 * PREVIEW_MAX))
    .slice(0, PREVIEW_MAX)
    .join('');
}
