// The simulated network between the parts of an installation. It runs in its own thread, because the clients keep the
// first one busy.
import type { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { type Pair, startForwarding } from '../proxy.ts';
import { Random } from '../random.ts';

export type LinesSetup = {
  seed: number;
  gatewayPorts: number[];
  /** The delay between clients and gateways, in each direction. */
  delayMaxMs: number;
  databasePort: number;
  /** The targets of each link. A connection goes to one of them. */
  links: number[][];
};

/** The ports to use instead of the real ones. The database has one per gateway. */
export type LinePorts = { clients: number; databases: number[]; links: number[] };

export type LineTask =
  | { do: 'cuts' }
  /** The average bytes until a connection is cut. Infinity ends the cuts. */
  | { do: 'cutClients' | 'cutDatabase'; after: number }
  | { do: 'hold' | 'heldCommits' | 'release'; gateway: number }
  | { do: 'partition'; link: number }
  | { do: 'heal'; link: number; how: 'late' | 'lost' };

/** Decides at which byte connections break. */
class Cuts {
  count = 0;
  /** The average bytes until a cut. */
  after = Number.POSITIVE_INFINITY;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** For one direction of a connection. Returns how many of the next bytes still arrive. */
  direction(): (bytes: number) => number {
    let drawnFor = this.after;
    let left = this.#draw();
    return (bytes) => {
      if (drawnFor !== this.after) {
        drawnFor = this.after;
        left = this.#draw();
      }
      left -= bytes;
      if (left > 0) return bytes;
      this.count += 1;
      return bytes + left;
    };
  }

  #draw(): number {
    return Number.isFinite(this.after) ? Math.ceil(this.#random.until(this.after)) : this.after;
  }
}

/** The share of connections that first become silent, as in a tunnel. */
const SILENCE_CHANCE = 0.3;
const SILENCE_MAX_MS = 1_500;

/** The network between clients and gateways: delays data and cuts connections at any byte. */
async function startClientLines(
  random: Random,
  options: { gatewayPorts: number[]; delayMaxMs: number },
): Promise<{ port: number; cuts: Cuts }> {
  const { gatewayPorts, delayMaxMs } = options;
  const cuts = new Cuts(random);

  function carry(from: Socket, to: Socket, cut: () => void): void {
    const queue: { bytes: Buffer; due: number }[] = [];
    const passing = cuts.direction();
    let last = 0;
    let timer: NodeJS.Timeout | undefined;
    let whenEmpty: (() => void) | undefined;
    const deliver = (): void => {
      timer = undefined;
      // Sends data that is almost due too, so that a burst is one write.
      const now = performance.now();
      const due: Buffer[] = [];
      for (let next = queue[0]; next !== undefined && next.due <= now + 3; next = queue[0]) {
        due.push(next.bytes);
        queue.shift();
      }
      if (due.length > 0) to.write(due.length === 1 ? (due[0] ?? '') : Buffer.concat(due));
      const next = queue[0];
      if (next !== undefined) timer = setTimeout(deliver, Math.max(1, next.due - now));
      else whenEmpty?.();
    };
    const push = (bytes: Buffer): void => {
      if (delayMaxMs === 0) return void to.write(bytes);
      last = Math.max(last, performance.now() + random.between(0, delayMaxMs));
      queue.push({ bytes, due: last });
      timer ??= setTimeout(deliver, Math.max(1, last - performance.now()));
    };
    const finish = (end: () => void): void => {
      whenEmpty ??= end;
      if (timer === undefined) whenEmpty();
    };
    from.on('data', (bytes: Buffer) => {
      const passes = passing(bytes.length);
      // After a cut, only the first bytes of this frame arrive.
      push(bytes.subarray(0, passes));
      if (passes === bytes.length) return;
      from.removeAllListeners('data').resume();
      finish(cut);
    });
    from.on('end', () => finish(() => to.end()));
    to.once('close', () => clearTimeout(timer));
  }

  function join({ client, server }: Pair): void {
    let silent = false;
    const cut = (): void => {
      if (silent) return;
      silent = true;
      const end = (): void => {
        if (random.chance(0.5)) client.resetAndDestroy();
        else client.destroy();
        server.destroy();
      };
      if (random.chance(SILENCE_CHANCE)) setTimeout(end, random.between(100, SILENCE_MAX_MS));
      else setImmediate(end);
    };
    carry(client, server, cut);
    carry(server, client, cut);
  }

  const { port } = await startForwarding(() => random.pick(gatewayPorts), join);
  return { port, cuts };
}

/** Append connections identify themselves in the first packet. The others only read. */
const APPEND_NAME = 'settee-append';
const DATA_ROW = 'D'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);

type DatabaseLine = {
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
async function startDatabaseLine(databasePort: number, cuts: Cuts): Promise<DatabaseLine> {
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

type Link = {
  port: number;
  /** Drops all data in both directions. Connections stay open. */
  partition(): void;
  /** Delivers the waiting data late, or closes the connections so that it is lost. */
  heal(how: 'late' | 'lost'): void;
};

/** The network between two programs. It can separate them unnoticed. */
async function startLink(target: () => number): Promise<Link> {
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

const { seed, gatewayPorts, delayMaxMs, databasePort, links: targets } = workerData as LinesSetup;
const random = new Random(seed);
const databaseCuts = new Cuts(random.fork('databases'));
const linkTargets = random.fork('links');
const clients = await startClientLines(random, { gatewayPorts, delayMaxMs });
const databases = await Promise.all(gatewayPorts.map(() => startDatabaseLine(databasePort, databaseCuts)));
const links = await Promise.all(targets.map((ports) => startLink(() => linkTargets.pick(ports))));

function execute(task: LineTask): number {
  switch (task.do) {
    case 'cuts':
      return clients.cuts.count + databaseCuts.count;
    case 'cutClients':
      clients.cuts.after = task.after;
      return 0;
    case 'cutDatabase':
      databaseCuts.after = task.after;
      return 0;
    case 'hold':
      databases[task.gateway]?.hold();
      return 0;
    case 'heldCommits':
      return databases[task.gateway]?.heldCommits() ?? 0;
    case 'release':
      databases[task.gateway]?.release();
      return 0;
    case 'partition':
      links[task.link]?.partition();
      return 0;
    case 'heal':
      links[task.link]?.heal(task.how);
      return 0;
  }
}

parentPort?.on('message', ({ number, task }: { number: number; task: LineTask }) =>
  parentPort?.postMessage({ number, answer: execute(task) }),
);
parentPort?.postMessage({
  clients: clients.port,
  databases: databases.map(({ port }) => port),
  links: links.map(({ port }) => port),
} satisfies LinePorts);
