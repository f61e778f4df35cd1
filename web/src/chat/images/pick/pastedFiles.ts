/**
 * The files of a paste or a drop. A text program puts a picture of the text beside it: who pastes that wants the words.
 */
export function pastedFiles({ files, types }: Pick<DataTransfer, 'files' | 'types'>): File[] {
  return types.includes('text/html') && types.includes('text/plain') ? [] : [...files];
}
