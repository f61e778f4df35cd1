/** A JPEG that the browser draws. */
export async function aPhoto(name: string, width = 60, height = 40): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = 'teal';
  context.fillRect(0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg' });
  return new File([blob], name, { type: 'image/jpeg' });
}

/** Chromium does not let a script put a named file on the real clipboard. The page sees the same event. */
export function paste(...files: File[]): void {
  const clipboardData = carrying(files);
  const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData });
  document.activeElement?.dispatchEvent(event);
}

export function drag(type: string, dataTransfer: DataTransfer): void {
  document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
}

export function drop(...files: File[]): void {
  for (const type of ['dragenter', 'dragover', 'drop']) drag(type, carrying(files));
}

export function carrying(files: File[]): DataTransfer {
  const data = new DataTransfer();
  for (const file of files) data.items.add(file);
  return data;
}
