const NAME_MAX = 60;

/** A label as the name of a file, on whatever system. */
export function fileNameOf(label: string): string {
  const name = label
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, NAME_MAX);
  return name === '' ? 'invite' : name;
}
