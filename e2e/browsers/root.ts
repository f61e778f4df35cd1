// A Debian root directory with Firefox and WebKitGTK.
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
const ROOT = join(cacheFolder(), 'browsers-2');

/** Builds the root if it is missing, and throws if that fails. Returns the versions of the browsers. */
export function browserRoot(): { firefox: string; webKit: string } {
  buildDebianRoot(ROOT, PACKAGES, 'Firefox and WebKitGTK');
  return { firefox: debianVersion(ROOT, 'firefox'), webKit: debianVersion(ROOT, 'webkitgtk-webdriver') };
}

/** How to start a program of the root. */
export const inRoot = {
  program: join(import.meta.dirname, 'inRoot.sh'),
  env: (name: string): NodeJS.ProcessEnv => ({
    ...process.env,
    SETTEE_BROWSER_ROOT: ROOT,
    SETTEE_BROWSER: name,
  }),
};
