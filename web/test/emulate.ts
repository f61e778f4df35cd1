import { cdp } from 'vitest/browser';

/** Chromium forgets the reduced motion of the configuration when it emulates something else. */
const reducedMotion = { name: 'prefers-reduced-motion', value: 'reduce' };
let touch = false;
let media = false;

/** Makes the browser a touch screen until the end of the test: `(pointer: coarse)`, without hover. */
export async function emulateTouch(): Promise<void> {
  touch = true;
  await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 });
}

/** Sets a media type such as `print`, or features such as `forced-colors`, until the end of the test. */
export async function emulateMedia(features: Record<string, string>, type = ''): Promise<void> {
  media = true;
  const given = Object.entries(features).map(([name, value]) => ({ name, value }));
  await cdp().send('Emulation.setEmulatedMedia', { media: type, features: [reducedMotion, ...given] });
}

/** Called after each test. */
export async function endEmulation(): Promise<void> {
  if (touch) await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: false });
  if (media) await cdp().send('Emulation.setEmulatedMedia', { media: '', features: [reducedMotion] });
  touch = false;
  media = false;
}
