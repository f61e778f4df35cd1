/** Debian's Chromium: the one browser this project's machines can install. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const chromiumLaunch = {
  executablePath: CHROMIUM,
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
