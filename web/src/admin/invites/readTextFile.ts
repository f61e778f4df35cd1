/**
 * A file's words. Spreadsheets of some countries still save in their old encoding, of which windows-1252 is by far the
 * commonest; it fits any bytes, so it is tried last. "Unicode text" of a spreadsheet is UTF-16, and says so.
 */
export async function readTextFile(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return new TextDecoder(marked(bytes) ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function marked([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}
