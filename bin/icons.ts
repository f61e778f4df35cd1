// node bin/icons.ts: draws the icons of web/public from favicon.svg. Only needed when the logo changes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const FOLDER = join(import.meta.dirname, '../web/public');
const favicon = readFileSync(join(FOLDER, 'favicon.svg'), 'utf8');

/** The background colour and the logo. */
const [, ground = '', mark = ''] = /<rect [^>]*fill="(#\w+)"\/>(<g .*<\/g>)<\/svg>/.exec(favicon) ?? [];
if (mark === '') throw new Error('favicon.svg must contain a rect and a group');

/** Maskable: systems cut it to their own shape, but keep the middle 80 %. */
const bleeding = svg(`<rect width="64" height="64" fill="${ground}"/>${smaller(mark, 0.86)}`);
/** Apple rounds the corners and fills transparent parts with black. */
const apple = svg(`<rect width="64" height="64" fill="${ground}"/>${mark}`);
/** Monochrome: the system sets the colour. */
const shape = svg(smaller(mark.replaceAll(/#[0-9A-Fa-f]{6}/g, '#fff'), 1.3));

const icons: [name: string, drawing: string, size: number][] = [
  ['icon-192.png', favicon, 192],
  ['icon-512.png', favicon, 512],
  ['icon-maskable-192.png', bleeding, 192],
  ['icon-maskable-512.png', bleeding, 512],
  ['icon-monochrome-96.png', shape, 96],
  ['apple-touch-icon.png', apple, 180],
];

for (const [name, drawing, size] of icons) {
  const png = await sharp(Buffer.from(drawing), { density: (72 * size) / 64 })
    .resize(size, size)
    .png({ compressionLevel: 9, effort: 10, palette: true, colours: 64, dither: 0 })
    .toBuffer();
  writeFileSync(join(FOLDER, name), png);
  console.log(`  ${name.padEnd(24)} ${png.length} bytes`);
}

function svg(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${content}</svg>`;
}

/** Scales around the centre. */
function smaller(drawing: string, scale: number): string {
  const shift = 32 - 32 * scale;
  return `<g transform="translate(${shift} ${shift}) scale(${scale})">${drawing}</g>`;
}
