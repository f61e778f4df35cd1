// The diagrams of docs/architecture.md: the parts of an installation, and the layers of the server.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SERVER_FLOORS } from '../check/serverFloors.ts';
import { arrow, labelled, rectangle, svg, type Theme, text } from './svg.ts';

const root = join(import.meta.dirname, '../..');

/** A diagram may only name code that exists. */
function code(path: string): string {
  if (!existsSync(join(root, path)))
    throw new Error(`The architecture diagram names ${path}, which does not exist`);
  return path;
}

const adapter = (file: string): string => code(`server/src/adapters/${file}`).replace('server/src/', '');

export function partsDiagram(theme: Theme): string {
  const page = (x: number, name: string, purpose: string, path: string): string =>
    labelled('box', { x, y: 56, width: 197, height: 76 }, name, [purpose], code(path));
  return svg(theme, 'The parts of an installation and how they talk', { width: 724, height: 610 }, [
    rectangle('group', { x: 16, y: 16, width: 640, height: 128 }),
    text('quiet', 30, 43, 'In the browser. Unsent messages survive a closed tab and a lost network.'),
    page(28, 'Visitor’s page', 'opens a private link', 'web/src/visitor'),
    page(237, 'Console', 'handlers answer', 'web/src/handler'),
    page(446, 'Admin area', 'invites, staff, profile', 'web/src/admin'),

    arrow(
      [
        [70, 144],
        [70, 224],
      ],
      true,
    ),
    text('quiet', 86, 178, 'HTTPS: sign-in, invites, history'),
    text('quiet', 86, 200, 'WebSocket: messages, acknowledgements'),

    rectangle('group', { x: 16, y: 224, width: 320, height: 184 }),
    text('name', 30, 252, 'Gateway × N'),
    text('quiet', 322, 252, 'stateless; may crash', 'end'),
    labelled(
      'box',
      { x: 28, y: 266, width: 142, height: 76 },
      'HTTP',
      ['calls, pages'],
      code('server/src/http'),
    ),
    labelled(
      'box',
      { x: 182, y: 266, width: 142, height: 76 },
      'Live',
      ['sockets, rooms'],
      code('server/src/live'),
    ),
    rectangle('box', { x: 28, y: 354, width: 296, height: 42 }),
    text('name', 42, 380, 'Actions'),
    text('code', 310, 380, code('server/src/actions'), 'end'),

    labelled('box', { x: 372, y: 266, width: 140, height: 84 }, 'NATS', ['hints only'], adapter('nats.ts')),
    arrow(
      [
        [336, 308],
        [372, 308],
      ],
      true,
    ),

    labelled(
      'box',
      { x: 534, y: 254, width: 138, height: 112 },
      'Worker × M',
      ['images, cleanup,', 'notifications'],
      code('server/src/jobs'),
    ),

    labelled(
      'truth',
      { x: 16, y: 508, width: 374, height: 86 },
      'PostgreSQL',
      ['the only source of truth'],
      code('server/src/db'),
    ),
    arrow(
      [
        [100, 408],
        [100, 508],
      ],
      true,
    ),
    text('quiet', 116, 452, 'one function call stores a batch;'),
    text('quiet', 116, 474, 'acknowledged after the commit'),
    arrow(
      [
        [556, 366],
        [556, 436],
        [370, 436],
        [370, 508],
      ],
      true,
    ),
    text('quiet', 452, 428, 'jobs'),

    labelled(
      'box',
      { x: 402, y: 508, width: 152, height: 86 },
      'Push services',
      ['of the browsers'],
      adapter('webPush.ts'),
    ),
    arrow([
      [584, 366],
      [584, 472],
      [478, 472],
      [478, 508],
    ]),
    labelled(
      'box',
      { x: 564, y: 508, width: 144, height: 86 },
      'S3 or a folder',
      ['re-encoded images'],
      adapter('media.ts'),
    ),
    arrow(
      [
        [630, 366],
        [630, 508],
      ],
      true,
    ),
    arrow([
      [656, 94],
      [690, 94],
      [690, 508],
    ]),
    text('quiet', 680, 200, 'signed URLs', 'end'),
  ]);
}

/** What each folder or file of server/src is for. */
const PURPOSES: Record<string, string> = {
  'main.ts': 'the gateway process',
  start: 'one gateway, or several',
  cli: 'commands',
  'cli.ts': 'the command line',
  'gateway.ts': 'connects the parts',
  live: 'sockets, rooms, presence, sweep',
  doctor: 'checks an installation',
  http: 'calls and pages',
  'seed.ts': 'sample accounts',
  actions: 'every write; hints follow the commit',
  jobs: 'images, notifications, cleanup',
  'access.ts': 'who may do what',
  adapters: 'NATS, S3, push, mail',
  backup: 'backup and restore',
  private: 'health and metrics',
  auth: 'tokens, passwords, passkeys, rate limits',
  'app.ts': 'what actions, calls and sockets share',
  log: 'logs without personal data',
  db: 'all SQL',
  limits: 'budgets',
  metrics: 'counters',
  config: 'settings',
  'caller.ts': 'who calls',
  'ports.ts': 'what adapters implement',
};

const FLOOR = { height: 54, gap: 8 };

export function layersDiagram(theme: Theme): string {
  const width = 724;
  const height = 60 + SERVER_FLOORS.length * (FLOOR.height + FLOOR.gap) + 12;
  const parts = SERVER_FLOORS.flatMap((floor, level) => {
    const room = (width - 64 - FLOOR.gap * (floor.length - 1)) / floor.length;
    const y = 52 + level * (FLOOR.height + FLOOR.gap);
    return floor.map((name, i) => {
      code(`server/src/${name}`);
      const x = 48 + i * (room + FLOOR.gap);
      const box = { x, y, width: room, height: FLOOR.height };
      return [
        rectangle('box', box),
        text('name', x + room / 2, y + 23, name, 'middle'),
        text('quiet', x + room / 2, y + 42, PURPOSES[name] ?? missing(name), 'middle'),
      ].join('');
    });
  });
  return svg(theme, 'The layers of the server', { width, height }, [
    text('quiet', 48, 34, 'server/src: a folder imports only folders that are below it.'),
    arrow([
      [24, 56],
      [24, height - 24],
    ]),
    ...parts,
  ]);
}

function missing(name: string): never {
  throw new Error(`Say in tools/generated/architecture.ts what server/src/${name} is for`);
}
