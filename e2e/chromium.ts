import { join } from 'node:path';

export const chromiumLaunch = {
  executablePath: join(import.meta.dirname, 'chromium.sh'),
  // Without these, Chromium as root will not start, and a closed network makes it look for its makers.
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
