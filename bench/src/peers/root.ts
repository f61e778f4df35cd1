// A Debian root directory with both XMPP servers.
import { join } from 'node:path';
import { buildDebianRoot, debianVersion } from '../../../tools/debianRoot.ts';
import { cacheFolder } from '../../../tools/engines/state.ts';

/** A new number builds a new root, for example after a change of the packages. */
export const ROOT = join(cacheFolder(), 'peers-1');
const PACKAGES = ['ejabberd', 'erlang-p1-pgsql', 'prosody', 'lua-dbi-postgresql'];

/** The version of a peer in the root. Builds the root if it is missing, and throws if that fails. */
export function peerVersion(name: 'ejabberd' | 'prosody'): string {
  buildDebianRoot(ROOT, PACKAGES, 'ejabberd and Prosody');
  return debianVersion(ROOT, name);
}
