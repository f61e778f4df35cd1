import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../tools/engines/process.ts';
import { freePorts } from '../../tools/freePorts.ts';
import { FOLDER, give } from './folder.ts';
import { Machine } from './machine.ts';
import { regionRoot } from './root.ts';

const READY_WITHIN_SECONDS = 120;
const MEMBERS = [1, 2, 3];

/** Three members. Returns their ports for clients. */
export async function startEtcd(): Promise<{ ports: number[]; machines: Machine[] }> {
  const ports = await freePorts(MEMBERS.length);
  const peers = (await freePorts(MEMBERS.length)).map((port) => `http://127.0.0.1:${port}`);
  const cluster = MEMBERS.map((member, index) => `etcd-${member}=${peers[index]}`).join(',');
  const machines = MEMBERS.map((member, index) => {
    const name = `etcd-${member}`;
    const folder = join(FOLDER, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    give(folder);
    const client = `http://127.0.0.1:${ports[index]}`;
    const peer = peers[index] ?? '';
    const machine = new Machine({
      name,
      root: regionRoot(),
      command: [
        'etcd',
        ...['--name', name, '--data-dir', folder, '--log-level', 'error'],
        ...['--listen-client-urls', client, '--advertise-client-urls', client],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
        ...['--initial-cluster', cluster, '--initial-cluster-state', 'new'],
        // The disk is shared with three databases under load.
        ...['--heartbeat-interval', '300', '--election-timeout', '3000'],
      ],
    });
    machine.start();
    return machine;
  });
  if (!(await waitUntil(() => isReady(ports), READY_WITHIN_SECONDS)))
    throw new Error(`etcd did not start: see ${FOLDER}/etcd-1.log`);
  return { ports, machines };
}

/** Patroni cannot start before the members agree on their version. */
async function isReady(ports: number[]): Promise<boolean> {
  const versions = ports.map(async (port) => {
    const response = await fetch(`http://127.0.0.1:${port}/version`).catch(() => undefined);
    return response?.ok === true && !(await response.text()).includes('not_decided');
  });
  return (await Promise.all(versions)).every(Boolean);
}
