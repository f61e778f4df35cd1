// A server with Docker: one privileged container with its own network and storage. Inside it, Podman stands in for Docker.
import { mkdirSync, writeFileSync } from 'node:fs';
import { readCompose } from '../ops/compose.ts';
import { Machine } from './machine.ts';
import { containersConf, hardLimits, podmanCompose, type Result, storage } from './tools.ts';

/** `docker compose` becomes podman-compose, with a second file for what this machine or Podman cannot do. */
const DOCKER = `#!/bin/sh
[ "$1" = compose ] || exec podman "$@"
shift
compose() {
  exec python3 /opt/podman_compose.py --podman-path /usr/local/bin/podman-without-requires "$@"
}
[ "$1" = -f ] || compose "$@"
file=$2
shift 2
# Without systemd, Podman runs health checks only on request, so podman-compose would wait forever.
if [ "$1 $2" = "up --wait" ]; then
  shift 2
  (compose -f "$file" -f /etc/stand-in.yaml up --detach "$@")
  for service; do
    until podman healthcheck run "settee_\${service}_1"; do sleep 1; done
  done
  exit
fi
# Docker replaces a container whose image is new. podman-compose compares only the settings.
[ "$*" != "up --detach --build" ] || set -- "$@" --force-recreate
# Docker enables the profile of a service that is named.
[ "$1" != run ] || set -- --profile cli "$@"
compose -f "$file" -f /etc/stand-in.yaml "$@"
`;
/**
 * Podman 4.3 cannot start a container whose requirements have requirements. podman-compose waits for migrate and media
 * itself, and starts the services in order.
 */
const WITHOUT_REQUIRES = `#!/bin/bash
for argument; do
  shift
  case $argument in --requires=*) ;; *) set -- "$@" "$argument" ;; esac
done
exec podman "$@"
`;

export class Server extends Machine {
  constructor(name: string, checkout: string) {
    super(name, checkout);
    const file = (path: string, text: string, mode = 0o644): string => {
      writeFileSync(this.inFolder(path), text, { mode });
      return this.inFolder(path);
    };
    const { nofile, nproc } = hardLimits();
    // Podman has no log driver `local`.
    const services = Object.keys(readCompose(checkout).services).map((service) => [
      service,
      { logging: { driver: 'k8s-file' }, ...(service === 'app' && { ulimits: { nofile, nproc } }) },
    ]);
    const standIn = { services: Object.fromEntries(services) as object };
    const places = 'graphroot = "/var/lib/containers/storage"\nrunroot = "/run/containers/storage"';
    const images = `[storage]\ndriver = "overlay"\n${places}\n[storage.options]\nadditionalimagestores = ["/images"]\n`;
    mkdirSync(this.inFolder('containers'));
    this.start({
      image: 'localhost/server',
      command: ['sleep', 'infinity'],
      options: ['--env=BUILDAH_ISOLATION=chroot', '--env=BUILDAH_FORMAT=docker'],
      mounts: {
        '/images': [storage.bases, 'ro'],
        '/var/lib/containers': [this.inFolder('containers'), 'rw'],
        '/etc/containers/containers.conf': [containersConf, 'ro'],
        '/etc/containers/storage.conf': [file('storage.conf', images), 'ro'],
        '/etc/stand-in.yaml': [file('stand-in.yaml', JSON.stringify(standIn)), 'ro'],
        '/usr/local/bin/docker': [file('docker', DOCKER, 0o755), 'ro'],
        '/usr/local/bin/podman-without-requires': [file('podman', WITHOUT_REQUIRES, 0o755), 'ro'],
        '/opt/podman_compose.py': [podmanCompose(), 'ro'],
      },
    });
  }

  /** In the clone of the repository. */
  inClone(lines: string, options: { minutes?: number } = {}): string {
    return this.run(`cd settee\n${lines}`, options);
  }

  attemptInClone(lines: string): Result {
    return this.attempt(`cd settee\n${lines}`);
  }

  override remove(): void {
    this.attempt('podman rm --all --force --time=0');
    super.remove();
  }
}
