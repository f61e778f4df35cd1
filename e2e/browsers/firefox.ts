import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './root.ts';

/** Firefox sees only temporary files. */
const downloadsPath = join(tmpdir(), 'settee-firefox-downloads');
mkdirSync(downloadsPath, { recursive: true });

export const firefoxLaunch = {
  executablePath: join(import.meta.dirname, 'firefox.sh'),
  downloadsPath,
  env: { ...process.env, SETTEE_BROWSER_ROOT: ROOT },
};
