// A Debian root directory with Firefox and WebKitGTK. `node e2e/browsers/root.ts` builds it.
import { join } from 'node:path';
import { buildDebianRoot, debianVersion } from '../../tools/debianRoot.ts';
import { cacheFolder } from '../../tools/engines/state.ts';

/** Debian's stable releases have an extended support release of Firefox instead of the current one. */
const PACKAGES = [
  'firefox',
  'webkitgtk-webdriver',
  'xvfb',
  'xauth',
  'dbus',
  'dbus-daemon',
  // The same as Chromium's on the machines of CI.
  'fonts-liberation',
  'fonts-noto-color-emoji',
  'fonts-dejavu-core',
];

/** A new number builds a new root, for example after a change of the packages. */
export const ROOT = join(cacheFolder(), 'browsers-2');

/** The path of the root. Builds it if it is missing, and throws if that fails. */
export function browserRoot(): string {
  buildDebianRoot(ROOT, PACKAGES, 'Firefox and WebKitGTK');
  return ROOT;
}

export function versionOf(name: string): string {
  return debianVersion(browserRoot(), name);
}

if (import.meta.main) {
  browserRoot();
  process.stdout.write(`  Firefox ${versionOf('firefox')}, WebKitGTK ${versionOf('webkitgtk-webdriver')}\n`);
}
