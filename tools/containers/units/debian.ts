// A bare Debian with systemd: one privileged container that boots. Caddy's own package is replaced by its program and a unit.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { caddyProgram } from '../../ops/programs.ts';
import { Machine } from '../machine.ts';

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const TIMEOUT_MS = 180_000;
const STAND_INS = join(import.meta.dirname, '../stand-ins');

export const GATEWAY = 'settee-gateway@8081';
/** A port that leads to the gateway, which listens on loopback only. */
const ENTRANCE = 9081;

export class Debian extends Machine {
  constructor(name: string, checkout: string) {
    super(name, checkout);
    this.start({
      image: 'localhost/systemd',
      command: ['/sbin/init'],
      // npm must trust the same certificates as the machine that runs the tests.
      options: [
        '--systemd=always',
        '--env=NODE_EXTRA_CA_CERTS=/etc/machine.crt',
        '--env=DEBIAN_FRONTEND=noninteractive',
      ],
      mounts: { '/etc/machine.crt': [CERTIFICATES, 'ro'] },
    });
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

  async copyCaddy(): Promise<void> {
    this.copy(await caddyProgram(), '/usr/bin/caddy');
    this.copy(join(STAND_INS, 'caddy.service'), '/etc/systemd/system/caddy.service');
    this.run(`useradd --system --create-home --home-dir /var/lib/caddy --shell /usr/sbin/nologin caddy
      install -d /etc/caddy
      systemctl daemon-reload
      systemctl enable caddy`);
  }

  /** Returns the address of a port that leads to the gateway. */
  openEntrance(): { host: string; port: number } {
    this.run(
      `systemd-run --unit=entrance --socket-property=ListenStream=0.0.0.0:${ENTRANCE} /lib/systemd/systemd-socket-proxyd 127.0.0.1:8081`,
    );
    return { host: this.address, port: ENTRANCE };
  }
}
