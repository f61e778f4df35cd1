import { startForwarding } from '../proxy.ts';

export type Link = {
  port: number;
  /** Drops all data in both directions. Connections stay open. */
  partition(): void;
  /** Delivers the waiting data late, or closes the connections so that it is lost. */
  heal(how: 'late' | 'lost'): void;
};

/** The network between two programs. It can separate them unnoticed. */
export async function startLink(target: () => number): Promise<Link> {
  type Line = { waiting: (() => void)[]; drop(): void };
  const lines = new Set<Line>();
  let parted = false;
  const proxy = await startForwarding(target, ({ client, server }) => {
    const line: Line = { waiting: [], drop: () => void client.destroy() };
    lines.add(line);
    client.once('close', () => lines.delete(line));
    client.on('data', (bytes: Buffer) => pass(() => server.write(bytes)));
    server.on('data', (bytes: Buffer) => pass(() => client.write(bytes)));
    function pass(write: () => void): void {
      if (parted) line.waiting.push(write);
      else write();
    }
  });
  return {
    port: proxy.port,
    partition() {
      parted = true;
    },
    heal(how) {
      parted = false;
      for (const line of lines) {
        if (how === 'lost') line.drop();
        else for (const write of line.waiting.splice(0)) write();
      }
    },
  };
}
