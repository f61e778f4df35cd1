export function saveFile(name: string, content: BlobPart | Blob, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  saveUrl(name, address);
  // The browser reads the URL after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Downloads an object URL. Browsers ignore the name for other origins. */
export function saveUrl(name: string, address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
