// Runs as a service and prints what it can do.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';

const can = (action: () => unknown): boolean => {
  try {
    return action() !== false;
  } catch {
    return false;
  }
};
const write = (folder: string): boolean =>
  can(() => {
    writeFileSync(`${folder}/written`, '');
    rmSync(`${folder}/written`);
  });
const status = readFileSync('/proc/self/status', 'utf8');
const field = (name: string): string | undefined => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1];

console.log(
  JSON.stringify({
    uid: process.getuid?.(),
    umask: process.umask(),
    bounding: field('CapBnd'),
    effective: field('CapEff'),
    noNewPrivileges: field('NoNewPrivs'),
    filtered: field('Seccomp'),
    secrets: ['SECRET', 'DATABASE_OWNER_URL'].filter((name) => process.env[name]),
    abilities: {
      'write /opt': write('/opt/probe'),
      'write /etc': write('/etc/probe'),
      'write /usr': write('/usr/probe'),
      'write /var': write('/var/probe'),
      'write /home': write('/home/probe'),
      'write its state': write('/var/lib/settee'),
      'write backups': write('/var/backups/settee'),
      'see the files of others in /tmp': existsSync('/tmp/probe'),
      'see processes of others': existsSync('/proc/1'),
      'see devices': existsSync('/dev/probe'),
      'become root with a setuid program':
        spawnSync('/usr/local/bin/probe-id', ['-u'], { encoding: 'utf8' }).stdout.trim() === '0',
      'make a setuid program': can(() => {
        const file = '/var/lib/settee/probe';
        writeFileSync(file, '');
        try {
          chmodSync(file, 0o4755);
        } finally {
          rmSync(file);
        }
      }),
      'make a namespace': spawnSync('unshare', ['--user', 'true']).status === 0,
      'use other address families': can(networkInterfaces),
      'change its personality': spawnSync('setarch', ['--addr-no-randomize', 'true']).status === 0,
    },
  }),
);
