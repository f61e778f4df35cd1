import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from './root.ts';

/** Firefox sees only temporary files. */
const downloadsPath = join(tmpdir(), 'settee-firefox-downloads');
mkdirSync(downloadsPath, { recursive: true });

export const firefoxLaunch = {
  executablePath: inRoot.program,
  downloadsPath,
  env: inRoot.env('firefox'),
};
