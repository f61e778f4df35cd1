import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

export type Sender = 'visitor' | 'owner';

/** A message as somebody read it. Of the text, its hash: equal or not is all that matters. */
export type ReadMessage = [seq: number, id: string, sender: Sender, text: string, createdAt: number];

/** What happened, a line of JSON each. The checker sees nothing else. */
export type HistoryEvent =
  | { type: 'run'; seed: number; wantedSends: number; wantedFaults: number }
  /** A device that follows this conversation to the end: its last reading must be in the history. */
  | { type: 'device'; conversation: string; device: string }
  /** `order` counts one device's messages to one conversation, in the order in which they were written. */
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
  | { type: 'fault'; kind: string; tookMs: number; recoveredMs: number | null; note: string }
  /** `by` is a device, 'database' for the table itself, or 'pages' for the history over HTTP. */
  | { type: 'read'; conversation: string; by: string; messages: ReadMessage[] }
  | { type: 'head'; conversation: string; lastSeq: number };

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
