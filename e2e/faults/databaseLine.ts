import { startForwarding } from '../proof/proxy.ts';

/** The append connections say so in the first packet; the others only read. */
const APPEND_NAME = 'settee-append';
const DATA_ROW = 'D'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);

export type DatabaseLine = {
  port: number;
  /** From now on PostgreSQL hears the gateway, and the gateway does not hear PostgreSQL. */
  hold(): void;
  /** Messages whose commit PostgreSQL has reported, and of which the gateway has not heard. */
  heldCommits(): number;
  release(): void;
};

/**
 * Between one gateway and PostgreSQL. Holding the answers back opens the gap between commit and ack as
 * wide as a fault needs it, with no hook in the product.
 */
export async function startDatabaseLine(databasePort: number): Promise<DatabaseLine> {
  type Line = { appends: boolean | undefined; held: Buffer[]; deliver(bytes: Buffer): void };
  const lines = new Set<Line>();
  let holding = false;
  const proxy = await startForwarding(
    () => databasePort,
    ({ client, server }) => {
      const line: Line = { appends: undefined, held: [], deliver: (bytes) => void client.write(bytes) };
      lines.add(line);
      client.on('data', (bytes: Buffer) => {
        line.appends ??= bytes.includes(APPEND_NAME);
        server.write(bytes);
      });
      server.on('data', (bytes: Buffer) => {
        if (holding) line.held.push(bytes);
        else client.write(bytes);
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

/** Rows of answers that are complete: "ready for query" comes after the commit, and only then. */
function committedRows(answers: Buffer): number {
  let rows = 0;
  let committed = 0;
  for (let at = 0; at + 5 <= answers.length; at += 1 + answers.readInt32BE(at + 1)) {
    if (answers[at] === DATA_ROW) rows += 1;
    if (answers[at] === READY) committed = rows;
  }
  return committed;
}
