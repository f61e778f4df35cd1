import { join } from 'node:path';
import type { OtherLanguage } from './showIn.ts';

const FOLDER = process.env.GALLERY_FOLDER ?? 'gallery';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** A small phone, a phone, a tablet, a desktop, a wide desktop. */
export const screens = [
  { width: 360, height: 740 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

/** The widths of screenshots in other languages. */
export const languageScreens = screens.filter(({ width }) => width === 360 || width === 1280);

export function picture(state: string, variant: Theme | OtherLanguage, width: number): string {
  return join(FOLDER, `${state}-${variant}-${width}.png`);
}

/** One image with all screenshots of a state. */
export function sheet(state: string): string {
  return join(FOLDER, 'sheets', `${state}.png`);
}

export const indexPage = join(FOLDER, 'index.html');
