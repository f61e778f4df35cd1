// A bare Debian with systemd: one privileged container that boots.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { caddyProgram } from '../../programs.ts';
import { type Result, type Server, succeeded } from '../server.ts';

const TIMEOUT_MS = 180_000;
const NAME = 'debian';

export const GATEWAY = 'settee-gateway@8081';
/** A port that leads to the gateway, which listens on loopback only. */
const ENTRANCE = 9081;

export class Debian {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static start(server: Server): Debian {
    // npm must trust the same certificates as the machine that runs the tests.
    server.copy('/etc/ssl/certs/ca-certificates.crt', '/root/machine.crt');
    server.exec([
      ...['docker', 'run', '--detach', '--name', NAME, '--privileged', '--publish=443:443'],
      ...[`--publish=${ENTRANCE}:${ENTRANCE}`, '--env=DEBIAN_FRONTEND=noninteractive'],
      ...['--volume=/root/machine.crt:/etc/machine.crt:ro', '--env=NODE_EXTRA_CA_CERTS=/etc/machine.crt'],
      ...[
        '--volume=/repository:/repository:ro',
        '--cgroupns=host',
        '--volume=/sys/fs/cgroup:/sys/fs/cgroup:rw',
      ],
      ...['--tmpfs=/run', '--tmpfs=/run/lock', '--tmpfs=/tmp:exec', 'stand-in/systemd', '/sbin/init'],
    ]);
    return new Debian(server);
  }

  attempt(lines: string, options: { minutes?: number; input?: string } = {}): Result {
    const inside = ['docker', 'exec', '--interactive', '--workdir=/root', NAME, 'bash', '-euc', lines];
    return this.#server.exec(inside, options);
  }

  run(lines: string, options: { minutes?: number; input?: string } = {}): string {
    return succeeded(lines, this.attempt(lines, options));
  }

  copy(from: string, to: string): void {
    this.#server.copy(from, '/root/copied');
    this.#server.run(`docker cp /root/copied ${NAME}:${to} && rm -r /root/copied`);
  }

  remove(): void {
    this.#server.run(`docker rm --force --volumes ${NAME}`);
  }

  async booted(): Promise<void> {
    await this.until('systemctl is-system-running | grep -E "running|degraded"');
  }

  /** Waits until a command succeeds. Returns its output. */
  async until(command: string): Promise<string> {
    const deadline = performance.now() + TIMEOUT_MS;
    for (;;) {
      const { status, out, err } = this.attempt(command);
      if (status === 0) return out;
      if (performance.now() > deadline)
        throw new Error(`This did not succeed:\n${command}\n${out}${err}${this.log()}`);
      await sleep(200);
    }
  }

  log(): string {
    return this.attempt('journalctl --lines=40 --no-pager --unit="settee-*"').out;
  }

  property(unit: string, name: string): string {
    return this.run(`systemctl show --property=${name} --value ${unit}`).trim();
  }

  /** Caddy's program, because its package is not in this release of Debian. */
  copyCaddy(): void {
    this.copy(caddyProgram(), '/usr/bin/caddy');
    this.copy(join(import.meta.dirname, '../stand-ins/caddy.service'), '/etc/systemd/system/caddy.service');
    this.run(`useradd --system --create-home --home-dir /var/lib/caddy --shell /usr/sbin/nologin caddy
      install -d /etc/caddy
      systemctl daemon-reload
      systemctl enable caddy`);
  }

  /** A port of this machine that leads to the gateway. */
  openEntrance(): Promise<number> {
    this.run(
      `systemd-run --unit=entrance --socket-property=ListenStream=0.0.0.0:${ENTRANCE} /lib/systemd/systemd-socket-proxyd 127.0.0.1:8081`,
    );
    return this.#server.forward(ENTRANCE);
  }
}
