import type * as Drawing from './qr.ts';

/** Only who makes an invite needs to draw codes. */
export function loadQr(): Promise<typeof Drawing> {
  return import('./qr.ts');
}
