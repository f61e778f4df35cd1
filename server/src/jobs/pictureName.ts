/** How the pictures that we make are called at their end; the first is our choice, the others are understood. */
const ENDINGS: Record<string, readonly string[]> = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
};
const OTHER = ['jpg'];
const NAMELESS = 'image';

/** The sender's name for the file, with an ending that is true of the picture made of it. */
export function pictureName(given: string, type: string): string {
  const endings = ENDINGS[type] ?? OTHER;
  const { base, ending } = /^(?<base>.+)\.(?<ending>[A-Za-z0-9]{1,8})$/.exec(given)?.groups ?? {};
  if (base !== undefined && endings.includes(ending?.toLowerCase() ?? '')) return given;
  return `${base || given || NAMELESS}.${endings[0]}`;
}
