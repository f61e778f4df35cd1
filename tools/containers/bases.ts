// The images that the Dockerfile and compose.yaml name, made from Debian packages and our cached programs. They are
// stand-ins: a machine that tests us often cannot reach a registry, and must not need one.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../engines/program.ts';
import { natsServer, type ProgramSource, seaweed } from '../engines/versions.ts';
import { caddy } from '../ops/programs.ts';
import { attempt, run } from './tools.ts';

type Root = { suite: string; variant: string; packages: string[] };

/** Systems of Debian packages, without anything else. */
const roots = {
  debian: { suite: 'bookworm', variant: 'minbase', packages: ['ca-certificates', 'busybox'] },
  distroless: {
    suite: 'bookworm',
    variant: 'extract',
    packages: [
      'libc6',
      'libstdc++6',
      'libgcc-s1',
      'libssl3',
      'ca-certificates',
      'tzdata',
      'base-files',
      'netbase',
    ],
  },
  postgres: { suite: 'sid', variant: 'minbase', packages: ['postgresql-18'] },
  // A server without Docker: only what a fresh Debian has.
  systemd: {
    suite: 'bookworm',
    variant: 'minbase',
    packages: ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates', 'openssl', 'curl'],
  },
  // A server with Docker. Podman stands in for it.
  server: {
    suite: 'bookworm',
    variant: 'minbase',
    packages: [
      ...['ca-certificates', 'git', 'openssl', 'curl'],
      ...[
        'podman',
        'buildah',
        'runc',
        'netavark',
        'aardvark-dns',
        'iptables',
        'python3-yaml',
        'python3-dotenv',
      ],
    ],
  },
} satisfies Record<string, Root>;

type Context = (folder: string) => Promise<void>;
type StandIn = { image: string; file: string; context: Context };

function program(source: ProgramSource): Context {
  return async (folder) => copyFileSync((await findProgram(source)) ?? '', join(folder, 'program'));
}

const standIns: StandIn[] = [
  {
    image: 'docker.io/library/node:24-bookworm-slim',
    file: 'node',
    async context(folder) {
      copyFileSync(process.execPath, join(folder, 'node'));
      copyFileSync('/etc/ssl/certs/ca-certificates.crt', join(folder, 'certificates.crt'));
      run('npm', ['install', '--silent', '--prefix', join(folder, 'installed'), 'npm@11'], { cwd: folder });
      run('mv', [join(folder, 'installed/node_modules/npm'), join(folder, 'npm')]);
    },
  },
  {
    image: 'gcr.io/distroless/nodejs24-debian12:nonroot',
    file: 'distroless',
    async context(folder) {
      copyFileSync(process.execPath, join(folder, 'node'));
      const users = [
        'root:x:0:0:root:/root:/sbin/nologin',
        'nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin',
      ];
      writeFileSync(join(folder, 'passwd'), `${users.join('\n')}\n`);
      writeFileSync(join(folder, 'group'), 'root:x:0:\nnonroot:x:65532:\n');
    },
  },
  { image: 'docker.io/library/nats:2.15-alpine', file: 'nats', context: program(natsServer) },
  { image: 'docker.io/chrislusf/seaweedfs:4.39', file: 'seaweedfs', context: program(seaweed) },
  { image: 'docker.io/library/caddy:2.11-alpine', file: 'caddy', context: program(caddy) },
  {
    image: 'docker.io/library/postgres:18-bookworm',
    file: 'postgres',
    async context(folder) {
      const script = 'docker-entrypoint.sh';
      copyFileSync(join(here, script), join(folder, script));
    },
  },
];

const here = join(import.meta.dirname, 'stand-ins');

/** For the image and Compose. Builds what is missing or has changed. Minutes the first time, seconds afterwards. */
export async function makeBases(print: (line: string) => void): Promise<void> {
  for (const name of ['debian', 'distroless', 'postgres', 'server'] as const) await makeRoot(name, print);
  for (const { image, file, context } of standIns) {
    const text = readFileSync(join(here, `${file}.Containerfile`), 'utf8');
    const recipe = text + context.toString() + process.version;
    await unlessMade(image, recipe, print, async (label, work) => {
      await context(work);
      writeFileSync(join(work, 'Containerfile'), text);
      const how = ['--isolation=chroot', '--network=host', '--pull-never', '--layers=false'];
      run('buildah', ['bud', ...how, '--label', label, '--tag', image, work], {
        place: 'bases',
        minutes: 10,
      });
    });
  }
}

export async function makeRoot(name: keyof typeof roots, print: (line: string) => void): Promise<void> {
  const root: Root = roots[name];
  await unlessMade(`localhost/${name}`, JSON.stringify(root), print, (label, work) => {
    const tar = join(work, 'root.tar');
    // The list of Debian's unstable release expires sooner than mirrors update it. Its signature still counts.
    const options = ['--aptopt=Acquire::Check-Valid-Until "false"', `--variant=${root.variant}`];
    run('mmdebstrap', [...options, `--include=${root.packages.join(',')}`, root.suite, tar], { minutes: 15 });
    run('podman', ['import', '--change', `LABEL ${label}`, tar, `localhost/${name}`], { place: 'bases' });
  });
}

async function unlessMade(
  image: string,
  recipe: string,
  print: (line: string) => void,
  make: (label: string, work: string) => Promise<void> | void,
): Promise<void> {
  const hash = createHash('sha256').update(recipe).digest('hex').slice(0, 16);
  const format = ['--format', '{{index .Labels "recipe"}}'];
  const { out } = attempt('podman', ['image', 'inspect', ...format, image], { place: 'bases' });
  if (out.trim() === hash) return;
  const began = performance.now();
  const work = mkdtempSync(join(tmpdir(), 'settee-base-'));
  mkdirSync(work, { recursive: true });
  try {
    await make(`recipe=${hash}`, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  print(`  made ${image} in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
}
