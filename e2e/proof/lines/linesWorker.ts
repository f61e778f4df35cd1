import { parentPort, workerData } from 'node:worker_threads';
import { Random } from '../random.ts';
import { startClientLines } from './clientLines.ts';
import { Cuts } from './cuts.ts';
import { startDatabaseLine } from './databaseLine.ts';
import { startLink } from './link.ts';

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
