import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';

const checkout = resolve(import.meta.dirname, '../..');

/** Runs the commands of the page for one machine, as far as they write settings, in a folder of the test. */
function configure(): { folder: string; etcd: string; patroni: string } {
  const folder = mkdtempSync(join(tmpdir(), 'settee-patroni-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const page = readFileSync(join(checkout, 'docs/high-availability.md'), 'utf8');
  const [secrets = ''] = page.match(/(?<=^```sh\n)umask 077\nfor [^`]*/m) ?? [];
  const settings = page.split('\n').filter((line) => /^(?:umask|\.|sed) /.test(line));
  expect(settings.map((line) => line.split(' ', 1)[0])).toEqual(['umask', 'sed', 'umask', '.', 'sed', 'sed']);
  const script = [secrets, ...settings.map((line) => line.replace(/\/etc\/\w+\//, './'))].join('\n');
  symlinkSync(join(checkout, 'ops'), join(folder, 'ops'));
  execFileSync('bash', ['-ec', script], {
    cwd: folder,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, NAME: 'db-2', ADDRESS: '10.9.8.7' },
  });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return { folder, etcd: read('etcd'), patroni: read('config.yml') };
}

test('the commands of the guide configure one machine of etcd and Patroni', () => {
  const { folder, etcd, patroni } = configure();
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
  for (const name of ['passwords', 'ca.key', 'server.key', 'config.yml'])
    expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  const [api, superuser, replication, ...others] = Array.from(
    readFileSync(join(folder, 'passwords'), 'utf8').matchAll(/^[A-Z]+=([0-9a-f]{48})$/gm),
    ([, password]) => password,
  );
  expect(new Set([api, superuser, replication, ...others]).size).toBe(5);
  const verify = ['verify', '-CAfile', 'ca.crt', '-verify_hostname', 'settee-db', 'server.crt'];
  expect(execFileSync('openssl', verify, { cwd: folder, encoding: 'utf8' })).toBe('server.crt: OK\n');
  expect(patroni).not.toContain('REPLACE');
  expect(parse(patroni)).toMatchObject({
    name: 'db-2',
    restapi: { listen: '10.9.8.7:8008', connect_address: '10.9.8.7:8008', authentication: { password: api } },
    etcd3: { hosts: ['10.0.0.11:2379', '10.0.0.12:2379', '10.0.0.13:2379'] },
    bootstrap: { dcs: { synchronous_mode: true, synchronous_mode_strict: true } },
    postgresql: {
      listen: '10.9.8.7:5432',
      connect_address: '10.9.8.7:5432',
      authentication: { superuser: { password: superuser }, replication: { password: replication } },
    },
  });
});

test('HAProxy gives up root, and logs', () => {
  const shipped = readFileSync(join(checkout, 'ops/patroni/haproxy.cfg'), 'utf8');
  const [, settings = ''] = /^global\n((?: .*\n)+)/m.exec(shipped) ?? [];
  expect(settings.match(/(?<=^ *)(?:user|group|chroot|log)(?= )/gm)).toEqual([
    'user',
    'group',
    'chroot',
    'log',
  ]);
});
