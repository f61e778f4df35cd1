// A Debian root directory with the programs that the check runs. `node tools/checkRoot.ts` builds it.
import { join } from 'node:path';
import { buildDebianRoot, debianVersion } from './debianRoot.ts';
import { cacheFolder } from './engines/state.ts';

const PACKAGES = ['caddy', 'opensmtpd', 'promtool', 'ca-certificates'];

/** A new number builds a new root, for example after a change of the packages. */
const ROOT = join(cacheFolder(), 'check-1');

/** The path of the root. Builds it if it is missing, and throws if that fails. */
export function checkRoot(): string {
  buildDebianRoot(ROOT, PACKAGES, 'Caddy, OpenSMTPD and promtool');
  return ROOT;
}

/** These need nothing else of the root, so they also run outside it. */
export const caddyProgram = (): string => join(checkRoot(), 'usr/bin/caddy');
export const promtoolProgram = (): string => join(checkRoot(), 'usr/bin/promtool');

if (import.meta.main) {
  const root = checkRoot();
  const versions = PACKAGES.map((name) => `${name} ${debianVersion(root, name)}`);
  process.stdout.write(`  ${versions.join(', ')}\n`);
}
