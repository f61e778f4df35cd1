/** The files of a paste. Office programs add an image of copied text: then the text is wanted. */
export function pastedFiles({ files, types }: Pick<DataTransfer, 'files' | 'types'>): File[] {
  return types.includes('text/html') && types.includes('text/plain') ? [] : [...files];
}
