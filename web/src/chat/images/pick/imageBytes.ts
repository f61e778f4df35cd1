import type { ImageType } from '@settee/protocol/model/media';

/** The image type of the first bytes of a file. Undefined for other files. */
export function typeOfBytes(head: Uint8Array): ImageType | undefined {
  if (startsWith(head, '\u00FF\u00D8\u00FF')) return 'image/jpeg';
  if (startsWith(head, '\u0089PNG\r\n\u001A\n')) return 'image/png';
  if (startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a')) return 'image/gif';
  if (startsWith(head, 'RIFF') && startsWith(head.subarray(8), 'WEBP')) return 'image/webp';
  return undefined;
}

const HEIC_TYPE = /^image\/hei[cf](-sequence)?$/i;
const HEIC_NAME = /\.hei[cf]$/i;
/** HEVC brands of the `ftyp` box. The last two are generic. */
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];

/** Detects HEIC by type, bytes, or name if the browser reports no type. */
export function looksLikeHeic(file: { type: string; name: string }, head: Uint8Array): boolean {
  if (HEIC_TYPE.test(file.type)) return true;
  if (file.type !== '') return false;
  const brand = startsWith(head.subarray(4), 'ftyp') ? ascii(head.subarray(8, 12)) : '';
  return HEIC_BRANDS.includes(brand) || HEIC_NAME.test(file.name);
}

function startsWith(bytes: Uint8Array, start: string): boolean {
  return ascii(bytes.subarray(0, start.length)) === start;
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
