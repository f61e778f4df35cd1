/** Names of secrets, and the words that must not leak. */
export type Canaries = Record<string, string>;

export type Leak = { where: string; what: string; as: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds words in any form: plain, in any case, URL-encoded, as hex or base64, reversed. */
export function scanner(canaries: Canaries) {
  const looks = Object.entries(canaries).flatMap(([what, word]) =>
    looksOf(word).map((look) => ({ what, ...look })),
  );
  return (where: string, content: string | Uint8Array): Leak[] => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
    // Decoded byte by byte, because the content may not be text.
    const exact = bytes.toString('latin1');
    const folded = exact.toLowerCase();
    return looks
      .filter(({ needle, folds }) => (folds ? folded : exact).includes(needle))
      .map(({ what, as }) => ({ where, what, as }));
  };
}

type Look = { as: string; needle: string; folds: boolean };

function looksOf(word: string): Look[] {
  const text = Buffer.from(word);
  const looks: Look[] = [
    { as: 'plain', needle: word.toLowerCase(), folds: true },
    { as: 'backwards', needle: Array.from(word).reverse().join('').toLowerCase(), folds: true },
    { as: 'in an address', needle: encodeURIComponent(word).toLowerCase(), folds: true },
    { as: 'in JSON', needle: JSON.stringify(word).slice(1, -1).toLowerCase(), folds: true },
    ...encodings('text', text),
    ...encodings('upper text', Buffer.from(word.toUpperCase())),
    ...encodings('lower text', Buffer.from(word.toLowerCase())),
  ];
  if (!UUID.test(word)) return looks;
  const id = Buffer.from(word.replaceAll('-', ''), 'hex');
  // Microsoft's byte order: the first three groups are reversed.
  const turned = Buffer.concat([
    id.subarray(0, 4).toReversed(),
    id.subarray(4, 6).toReversed(),
    id.subarray(6, 8).toReversed(),
    id.subarray(8),
  ]);
  for (const [name, bytes] of [
    ['id', id],
    ['id backwards', Buffer.from(id.toReversed())],
    ['id turned', turned],
  ] as const) {
    looks.push(
      { as: `${name}, raw`, needle: bytes.toString('latin1'), folds: false },
      ...encodings(name, bytes),
    );
  }
  return looks;
}

function encodings(name: string, bytes: Buffer): Look[] {
  const base64 = [0, 1, 2].flatMap((shift) => {
    const inside = insideBase64(bytes, shift);
    const forAddresses = inside.replaceAll('+', '-').replaceAll('/', '_');
    return [inside, forAddresses].map((needle) => ({ as: `${name}, base64`, needle, folds: false }));
  });
  return [{ as: `${name}, hex`, needle: bytes.toString('hex'), folds: true }, ...base64];
}

/** The base64 characters that these bytes alone determine, after `shift` other bytes. */
function insideBase64(bytes: Buffer, shift: number): string {
  const letters = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replaceAll('=', '');
  const first = Math.ceil((shift * 8) / 6);
  const last = Math.floor(((shift + bytes.length) * 8) / 6);
  return letters.slice(first, last);
}
