// A Debian root directory with PostgreSQL, Patroni, etcd, HAProxy and pgBackRest. `node e2e/region/root.ts` builds it.
import { join } from 'node:path';
import { buildDebianRoot, debianVersion } from '../../tools/debianRoot.ts';
import { cacheFolder } from '../../tools/engines/state.ts';

const PACKAGES = ['postgresql-18', 'patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'pgbackrest'];

/** A new number builds a new root, for example after a change of the packages. */
const ROOT = join(cacheFolder(), 'region-1');

/** The path of the root. Builds it if it is missing, and throws if that fails. */
export function regionRoot(): string {
  buildDebianRoot(ROOT, PACKAGES, 'PostgreSQL, Patroni, etcd, HAProxy and pgBackRest');
  return ROOT;
}

if (import.meta.main) {
  const root = regionRoot();
  const versions = PACKAGES.map((name) => `${name} ${debianVersion(root, name)}`);
  process.stdout.write(`  ${versions.join(', ')}\n`);
}
