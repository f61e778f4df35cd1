// The images that our Dockerfile and compose.yaml name, and the Debian of units.ts.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDebianRoot } from '../debianRoot.ts';
import { findProgram } from '../engines/program.ts';
import { cacheFolder } from '../engines/state.ts';
import { seaweed } from '../engines/versions.ts';
import { run, type Server } from './server.ts';

/** Of the Dockerfile in stand-ins/. */
const IMAGES = {
  'docker.io/library/node:24-bookworm-slim': 'node',
  'gcr.io/distroless/cc-debian12:nonroot': 'distroless',
  'docker.io/library/nats:2.15-alpine': 'nats',
  'docker.io/chrislusf/seaweedfs:4.39': 'seaweedfs',
  'docker.io/library/caddy:2.11-alpine': 'caddy',
  'docker.io/library/postgres:18-bookworm': 'postgres',
};
const LIBRARIES = ['libc6', 'libstdc++6', 'libgcc-s1', 'libssl3', 'ca-certificates', 'tzdata'];

/** Minutes the first time, seconds afterwards. */
export async function makeStandIns(server: Server): Promise<void> {
  const debian = join(cacheFolder(), 'images-debian-2');
  buildDebianRoot(
    debian,
    ['postgresql-18', 'nats-server', 'caddy', 'busybox', 'binutils', 'ca-certificates'],
    'a base image',
  );
  importRoot(server, debian, 'stand-in/debian');
  const distroless = join(cacheFolder(), 'images-distroless-1');
  const older = { suite: 'bookworm', variant: 'extract' } as const;
  buildDebianRoot(distroless, [...LIBRARIES, 'base-files', 'netbase'], 'a base image without a shell', older);
  importRoot(server, distroless, 'stand-in/distroless');

  const context = mkdtempSync(join(tmpdir(), 'settee-images-'));
  const file = (name: string): string => join(context, name);
  try {
    for (const name of ['Dockerfile', 'docker-entrypoint.sh'])
      copyFileSync(join(import.meta.dirname, 'stand-ins', name), file(name));
    copyFileSync(process.execPath, file('node'));
    copyFileSync((await findProgram(seaweed)) ?? '', file('weed'));
    copyFileSync('/etc/ssl/certs/ca-certificates.crt', file('certificates.crt'));
    run('npm', ['install', '--silent', '--prefix', file('installed'), 'npm@11'], { cwd: context });
    run('mv', [file('installed/node_modules/npm'), file('npm')]);
    writeFileSync(file('passwd'), 'nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n');
    writeFileSync(file('group'), 'nonroot:x:65532:\n');
    server.copy(context, '/tmp/images');
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
  for (const [image, target] of Object.entries(IMAGES))
    server.run(`docker build --quiet --target ${target} --tag ${image} /tmp/images`);
}

/** For units.ts: only what a fresh Debian has. */
export function makeBareDebian(server: Server): void {
  const root = join(cacheFolder(), 'images-systemd-1');
  const packages = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates', 'openssl', 'curl'];
  buildDebianRoot(root, packages, 'a bare Debian', { suite: 'bookworm' });
  importRoot(server, root, 'stand-in/systemd');
}

function importRoot(server: Server, root: string, image: string): void {
  run('tar', ['--directory', root, '--create', '--file', server.path('/tmp/root.tar'), '.']);
  server.run(`docker import /tmp/root.tar ${image} && rm /tmp/root.tar`);
}
