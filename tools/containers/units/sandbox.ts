// A probe runs in place of the program of each unit, and once without a sandbox. Only the sandbox may make the difference.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Debian } from './debian.ts';

const NODE = '/opt/settee/node_modules/.bin/node';
const PROBE = '/opt/probe.mts';
const RESULT = '/run/probe.json';

type Found = {
  uid: number;
  umask: number;
  bounding: string;
  effective: string;
  noNewPrivileges: string;
  filtered: string;
  secrets: string[];
  abilities: Record<string, boolean>;
};
type Expected = { unit: string; secrets: string[]; abilities: string[] };

const STATE = 'write its state';
const SERVICES: Expected[] = [
  { unit: 'settee-gateway@8081', secrets: ['SECRET'], abilities: [STATE] },
  { unit: 'settee-worker', secrets: ['SECRET'], abilities: [STATE] },
  { unit: 'settee-migrate', secrets: ['DATABASE_OWNER_URL'], abilities: [STATE] },
  { unit: 'settee-backup', secrets: ['SECRET'], abilities: [STATE, 'write backups'] },
];

export function placeProbe(debian: Debian): void {
  debian.copy(join(import.meta.dirname, 'probe.ts'), PROBE);
  // By their permissions, everybody can write these folders, see these files and run this program as root.
  debian.run(`chmod 644 ${PROBE}
    install -d -m 1777 /opt/probe /etc/probe /usr/probe /var/probe /home/probe
    touch /tmp/probe
    [ -e /dev/probe ] || mknod -m 666 /dev/probe c 1 5
    install -m 4755 /usr/bin/id /usr/local/bin/probe-id`);
}

export function confines(debian: Debian): void {
  const user = Number(debian.run('id -u settee'));
  for (const { unit, secrets, abilities } of SERVICES) {
    const found = probe(debian, unit);
    assert.deepEqual(
      { ...found, abilities: able(found) },
      {
        ...{ uid: user, umask: 0o077, bounding: '0000000000000000', effective: '0000000000000000' },
        ...{ noNewPrivileges: '1', filtered: '2', secrets, abilities },
      },
      unit,
    );
  }
}

/** The same user without the sandbox can do everything. Otherwise the probe proves nothing. */
export function controls(debian: Debian): void {
  const found = JSON.parse(
    debian.run(`systemd-run --quiet --pipe --wait --collect --uid=settee --gid=settee ${NODE} ${PROBE}`),
  ) as Found;
  assert.deepEqual(able(found), Object.keys(found.abilities));
  assert.deepEqual([found.noNewPrivileges, found.filtered], ['0', '0']);
}

const able = ({ abilities }: Found): string[] =>
  Object.entries(abilities).flatMap(([name, can]) => (can ? [name] : []));

/** A copy of the unit, which starts the probe. */
function probe(debian: Debian, unit: string): Found {
  const [name = '', instance] = unit.split('@');
  const template = instance === undefined ? '' : '@';
  debian.run(`rm -f ${RESULT}
    sed -e 's#^ExecStart=.*#ExecStart=${NODE} ${PROBE}\\nStandardOutput=truncate:${RESULT}#' \\
      -e 's/^Type=.*/Type=oneshot/' -e '/^R\\(estart\\|emainAfterExit\\)/d' \\
      /etc/systemd/system/${name}${template}.service > /run/systemd/system/probe-${name}${template}.service
    systemctl daemon-reload
    systemctl start probe-${unit}`);
  return JSON.parse(debian.run(`cat ${RESULT}`)) as Found;
}
