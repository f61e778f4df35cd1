import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';

const checkout = resolve(import.meta.dirname, '../..');

/** Runs the `sed` commands of the page for one machine, with another place for the results. */
function configure(): { etcd: string; patroni: string } {
  const folder = mkdtempSync(join(tmpdir(), 'settee-patroni-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const page = readFileSync(join(checkout, 'docs/high-availability.md'), 'utf8');
  const commands = page.split('\n').filter((line) => line.startsWith('sed '));
  expect(commands).toHaveLength(3);
  for (const command of commands) {
    execFileSync('bash', ['-ec', command.replace(/\/etc\/\w+\//, `${folder}/`)], {
      cwd: checkout,
      env: {
        PATH: process.env.PATH,
        NAME: 'db-2',
        ADDRESS: '10.9.8.7',
        API: 'a',
        SUPERUSER: 'b',
        REPLICATION: 'c',
      },
    });
  }
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return { etcd: read('etcd'), patroni: read('config.yml') };
}

test('[OPS-135] the commands of the guide configure one machine of etcd and Patroni', () => {
  const { etcd, patroni } = configure();
  const variables = Object.fromEntries(
    Array.from(etcd.matchAll(/^(\w+)=(.*)$/gm), ([, name = '', value = '']) => [name, value]),
  );
  expect(variables).toMatchObject({
    ETCD_NAME: 'db-2',
    ETCD_LISTEN_CLIENT_URLS: 'http://10.9.8.7:2379',
    ETCD_ADVERTISE_CLIENT_URLS: 'http://10.9.8.7:2379',
    ETCD_LISTEN_PEER_URLS: 'http://10.9.8.7:2380',
    ETCD_INITIAL_ADVERTISE_PEER_URLS: 'http://10.9.8.7:2380',
    ETCD_INITIAL_CLUSTER: 'db-1=http://10.0.0.11:2380,db-2=http://10.0.0.12:2380,db-3=http://10.0.0.13:2380',
  });
  expect(patroni).not.toContain('REPLACE');
  expect(parse(patroni)).toMatchObject({
    name: 'db-2',
    restapi: { listen: '10.9.8.7:8008', connect_address: '10.9.8.7:8008', authentication: { password: 'a' } },
    etcd3: { hosts: ['10.0.0.11:2379', '10.0.0.12:2379', '10.0.0.13:2379'] },
    bootstrap: { dcs: { synchronous_mode: true, synchronous_mode_strict: true } },
    postgresql: {
      listen: '10.9.8.7:5432',
      connect_address: '10.9.8.7:5432',
      authentication: { superuser: { password: 'b' }, replication: { password: 'c' } },
    },
  });
});
