import { startForwarding } from '../proxy.ts';
import type { Cuts } from './cuts.ts';

/** Append connections identify themselves in the first packet. The others only read. */
const APPEND_NAME = 'settee-append';
const DATA_ROW = 'D'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);

export type DatabaseLine = {
  port: number;
  /** Holds back all answers of PostgreSQL. */
  hold(): void;
  /** Messages that PostgreSQL committed, and whose answer is held back. */
  heldCommits(): number;
  release(): void;
};

/**
 * The proxy between one gateway and PostgreSQL. Holding back the answers widens the gap between commit and ack, without
 * a hook in the product.
 */
export async function startDatabaseLine(databasePort: number, cuts: Cuts): Promise<DatabaseLine> {
  type Line = { appends: boolean | undefined; held: Buffer[]; deliver(bytes: Buffer): void };
  const lines = new Set<Line>();
  let holding = false;
  const proxy = await startForwarding(
    () => databasePort,
    ({ client, server }) => {
      const line: Line = { appends: undefined, held: [], deliver: (bytes) => void client.write(bytes) };
      lines.add(line);
      const up = cuts.direction();
      const down = cuts.direction();
      const cutAfter = (bytes: Buffer, passes: number): Buffer => {
        if (passes < bytes.length) setImmediate(() => client.destroy());
        return bytes.subarray(0, passes);
      };
      client.on('data', (bytes: Buffer) => {
        line.appends ??= bytes.includes(APPEND_NAME);
        server.write(cutAfter(bytes, up(bytes.length)));
      });
      server.on('data', (bytes: Buffer) => {
        const arrives = cutAfter(bytes, down(bytes.length));
        if (holding) line.held.push(arrives);
        else client.write(arrives);
      });
      client.once('close', () => lines.delete(line));
    },
  );
  return {
    port: proxy.port,
    hold() {
      holding = true;
    },
    heldCommits() {
      let messages = 0;
      for (const line of lines) if (line.appends) messages += committedRows(Buffer.concat(line.held));
      return messages;
    },
    release() {
      holding = false;
      for (const line of lines) for (const bytes of line.held.splice(0)) line.deliver(bytes);
    },
  };
}

/** Rows of complete answers. "ready for query" comes only after the commit. */
function committedRows(answers: Buffer): number {
  let rows = 0;
  let committed = 0;
  for (let at = 0; at + 5 <= answers.length; at += 1 + answers.readInt32BE(at + 1)) {
    if (answers[at] === DATA_ROW) rows += 1;
    if (answers[at] === READY) committed = rows;
  }
  return committed;
}
