import { parentPort, workerData } from 'node:worker_threads';
import { Random } from '../proof/random.ts';
import { startClientLines } from './clientLines.ts';
import { startDatabaseLine } from './databaseLine.ts';
import { startNatsLine } from './natsLine.ts';

export type LinesSetup = { seed: number; gatewayPorts: number[]; databasePort: number; natsPort: number };

/** The ports to use instead of the real ones. The database has one per gateway. */
export type LinePorts = { clients: number; databases: number[]; nats: number };

export type LineTask =
  | { do: 'cuts' }
  | { do: 'calm' }
  | { do: 'hold' | 'heldCommits' | 'release'; gateway: number }
  | { do: 'partition' }
  | { do: 'heal'; how: 'late' | 'lost' };

const { seed, gatewayPorts, databasePort, natsPort } = workerData as LinesSetup;
const clients = await startClientLines(new Random(seed), gatewayPorts);
const databases = await Promise.all(gatewayPorts.map(() => startDatabaseLine(databasePort)));
const nats = await startNatsLine(natsPort);

function execute(task: LineTask): number {
  switch (task.do) {
    case 'cuts':
      return clients.cuts();
    case 'calm':
      clients.calm();
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
      nats.partition();
      return 0;
    case 'heal':
      nats.heal(task.how);
      return 0;
  }
}

parentPort?.on('message', ({ number, task }: { number: number; task: LineTask }) =>
  parentPort?.postMessage({ number, answer: execute(task) }),
);
parentPort?.postMessage({
  clients: clients.port,
  databases: databases.map(({ port }) => port),
  nats: nats.port,
} satisfies LinePorts);
