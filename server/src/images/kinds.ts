import type { ImageType } from '@settee/protocol/model/media';

/** The names that sharp uses. */
export type Kind = 'jpeg' | 'png' | 'gif' | 'webp';

/** An image of the same kind, or a small square one, always WebP. */
export type Shape = 'picture' | 'square';

const MAGIC_BYTES = 12;
const TYPES: Record<Kind, ImageType> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
};

export function typeOf(kind: Kind): ImageType {
  return TYPES[kind];
}

export function outputKind(kind: Kind, shape: Shape): Kind {
  return shape === 'square' ? 'webp' : kind;
}

export function isKind(word: unknown): word is Kind {
  return typeof word === 'string' && Object.hasOwn(TYPES, word);
}

/** Detects the kind by the first bytes, ignoring name and declared type. */
export function kindOf(file: Uint8Array): Kind | undefined {
  if (file.length < MAGIC_BYTES) return undefined;
  const start = Buffer.from(file.buffer, file.byteOffset, MAGIC_BYTES).toString('latin1');
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp';
  return undefined;
}
