import { encode } from 'uqr';

/** White modules around the code, which scanners need. */
const QUIET_ZONE = 4;

/** The smallest size that prints sharply. */
const PNG_MIN_PX = 1_024;

/** Dark on white in all themes: many scanners cannot read the opposite. */
const DARK = '#000000';
const LIGHT = '#ffffff';

export type Qr = { size: number; path: string };

/** Level M. Neighbouring modules of a row are one path, which shortens the SVG. */
export function drawQr(link: string): Qr {
  const { size, data } = encode(link, { ecc: 'M', border: QUIET_ZONE });
  let path = '';
  for (const [y, row] of data.entries()) {
    for (let x = 0; x < size; x += 1) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x += 1;
      path += `M${from} ${y}h${x + 1 - from}v1h-${x + 1 - from}z`;
    }
  }
  return { size, path };
}

export function qrSvg(link: string): string {
  const { size, path } = drawQr(link);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="1024" height="1024" shape-rendering="crispEdges">`,
    `<path fill="${LIGHT}" d="M0 0h${size}v${size}H0z"/><path fill="${DARK}" d="${path}"/></svg>`,
  ].join('');
}

/** Whole pixels per module, for sharp edges. */
export function qrPng(link: string): Promise<Blob> {
  const { size, path } = drawQr(link);
  const scale = Math.ceil(PNG_MIN_PX / size);
  const canvas = document.createElement('canvas');
  canvas.width = size * scale;
  canvas.height = size * scale;
  const pen = canvas.getContext('2d');
  if (!pen) return Promise.reject(new Error('this browser draws no pictures'));
  pen.fillStyle = LIGHT;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.scale(scale, scale);
  pen.fillStyle = DARK;
  pen.fill(new Path2D(path));
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture came'))), 'image/png'),
  );
}
