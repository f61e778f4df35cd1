/** Only who makes an invite needs to draw codes. */
export function loadQr(): Promise<typeof import('./qr.ts')> {
  return import('./qr.ts');
}
