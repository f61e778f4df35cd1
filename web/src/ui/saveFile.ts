/** Lets the browser keep a file that this page made. */
export function saveFile(name: string, content: BlobPart | Blob, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  saveUrl(name, address);
  // The click has only been noted; the bytes are fetched after it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** For an address that this page made itself: the browser downloads no other under a name. */
export function saveUrl(name: string, address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
