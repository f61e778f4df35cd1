/** So many digits of an id tell it from others; fewer are rather a word. */
const DIGITS_MIN = 4;
const DIGITS = 32;

/** The ids that begin like this, or like the label of a visitor without a name, V-8F3A21C0. */
export function idRange(text: string): [from: string, to: string] | undefined {
  const digits = text.trim().toLowerCase().replace(/^v-/, '').replaceAll('-', '');
  if (!/^[0-9a-f]+$/.test(digits) || digits.length < DIGITS_MIN || digits.length > DIGITS) return undefined;
  return [asId(digits.padEnd(DIGITS, '0')), asId(digits.padEnd(DIGITS, 'f'))];
}

function asId(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
