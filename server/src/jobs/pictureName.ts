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
  const { base = given, ending = '' } =
    /^(?<base>.*)\.(?<ending>[A-Za-z0-9]{1,8})$/.exec(given)?.groups ?? {};
  // Nothing, or nothing but an ending.
  if (/^[.\s]*$/.test(base)) return `${NAMELESS}.${endings[0]}`;
  return endings.includes(ending.toLowerCase()) ? given : `${base}.${endings[0]}`;
}
