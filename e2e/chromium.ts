import { join } from 'node:path';

export const chromiumLaunch = {
  executablePath: join(import.meta.dirname, 'chromium.sh'),
  // Chromium needs --no-sandbox to run as root. The other flags prevent requests to Google.
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
