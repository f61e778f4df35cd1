import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

export type Sender = 'visitor' | 'owner';

/** A message that a reader saw. Only the hash of its text is stored. */
export type ReadMessage = [seq: number, id: string, sender: Sender, text: string, createdAt: number];

/** Up to which number each side has seen the messages. */
export type Marks = { visitorSeen: number; ownerSeen: number };

/** A row of a handler's queue. Only the hash of the preview is stored. */
export type QueueLine = [
  conversation: string,
  head: number,
  unread: number,
  waitingSince: number | null,
  preview: string,
];

/** An event of the run, one JSON line each. The checker reads only these. */
export type HistoryEvent =
  | { type: 'run'; seed: number; wantedSends: number; wantedFaults: number }
  /** A device that follows this conversation to the end. The history must contain its last reading. */
  | { type: 'device'; conversation: string; device: string }
  /** `order` counts the messages of one device in one conversation. */
  | {
      type: 'attempted';
      conversation: string;
      device: string;
      order: number;
      id: string;
      sender: Sender;
      text: string;
    }
  | { type: 'acked'; conversation: string; device: string; id: string; seq: number; createdAt: number }
  /** A device reported that its side has seen everything up to this number. */
  | { type: 'seen'; conversation: string; device: string; sender: Sender; seq: number }
  /** A device shows other seen marks than before. */
  | ({ type: 'marks'; conversation: string; device: string } & Marks)
  /** `at`: when it began. */
  | { type: 'fault'; kind: string; at: number; tookMs: number; recoveredMs: number | null; note: string }
  /** `by` is a device, 'database' (the table) or 'pages' (the history over HTTP). */
  | { type: 'read'; conversation: string; by: string; messages: ReadMessage[] }
  | ({ type: 'head'; conversation: string; lastSeq: number; unread: number } & Marks)
  /** The open conversations of a desk. `by` is a console or 'database'. */
  | { type: 'queue'; desk: string; by: string; rows: QueueLine[] }
  | WatchEvent;

/** Properties of the events that the watchers recorded. */
export const watchedProperties = {
  revocation: 'whoever is signed out, removed or blocked notices it in time at every gateway',
  presence: 'no visitor gets a wrong presence for long',
  audit: 'the audit log is whole, and has every audited action exactly once',
  pushes: 'every due notification arrives in time, none for what was seen, and no two within 30 s',
  media: 'every image has a row and an object, and both sides can read it',
  figures: 'the dashboard shows the figures of the tables',
} as const;
export type WatchedProperty = keyof typeof watchedProperties;

/** What the watchers (`watch`) record. Times are in milliseconds since 1970. */
export type WatchEvent =
  /** `timed`: whether what the product promises by time is judged, or only that it happens at all. */
  | { type: 'watching'; properties: WatchedProperty[]; timed: boolean }
  /** The watchers stopped. */
  | { type: 'watched'; at: number }
  /**
   * A call took somebody's access. Their socket ended `tookMs` after its answer; null: it did not. Meanwhile its gateway
   * could not read the database for `blindMs`.
   */
  | { type: 'revoked'; what: string; at: number; tookMs: number | null; blindMs: number }
  /** Whether any handler counts as there; null while that changes. */
  | { type: 'handlers'; at: number; there: boolean | null }
  /** What a visitor was told; null while the visitor is not connected. */
  | { type: 'told'; visitor: string; at: number; online: boolean | null }
  /** A call that the audit log must contain. It may have been repeated. `done`: it was answered with success. */
  | { type: 'action'; action: string; target: string; done: boolean }
  | { type: 'audited'; action: string; target: string; entries: number }
  | { type: 'auditChain'; problem: string | null; entries: number }
  /** `by` is 'dashboard' (the call) or 'tables' (computed from the messages). */
  | { type: 'figures'; by: 'dashboard' | 'tables'; period: string; figures: object }
  /**
   * A message to someone who is not connected: sent from `began` to `at`. `seenAt`: the recipient saw it, confirmed then;
   * null if not.
   */
  | {
      type: 'pushWanted';
      to: string;
      conversation: string;
      seq: number;
      began: number;
      at: number;
      seenAt: number | null;
    }
  | { type: 'pushed'; to: string; conversation: string; seq: number; at: number }
  /** An image that was sent, and whether both sides can read it at the end. */
  | { type: 'image'; media: string; readable: boolean }
  | { type: 'store'; objects: string[]; rows: MediaRow[] };

export type MediaRow = [id: string, state: string, stagedPath: string, path: string, isSent: boolean];

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

export class HistoryWriter {
  readonly path: string;
  readonly #file: WriteStream;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.path = path;
    this.#file = createWriteStream(path);
  }

  write(event: HistoryEvent): void {
    this.#file.write(`${JSON.stringify(event)}\n`);
  }

  close(): Promise<void> {
    return new Promise((done, fail) => {
      this.#file.once('error', fail).end(done);
    });
  }
}

export async function readHistory(path: string): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) if (line !== '') events.push(JSON.parse(line) as HistoryEvent);
  return events;
}
