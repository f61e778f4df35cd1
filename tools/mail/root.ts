// A Debian root directory with OpenSMTPD. `node tools/mail/root.ts` builds it.
import { join } from 'node:path';
import { buildDebianRoot, debianVersion } from '../debianRoot.ts';
import { cacheFolder } from '../engines/state.ts';

const PACKAGES = ['opensmtpd', 'ca-certificates'];

/** A new number builds a new root, for example after a change of the packages. */
const ROOT = join(cacheFolder(), 'mail-1');

/** The path of the root. Builds it if it is missing, and throws if that fails. */
export function mailRoot(): string {
  buildDebianRoot(ROOT, PACKAGES, 'OpenSMTPD');
  return ROOT;
}

if (import.meta.main) process.stdout.write(`  OpenSMTPD ${debianVersion(mailRoot(), 'opensmtpd')}\n`);
