/** A text with its `{words}` filled in. What is filled in is not looked at again, whatever it contains. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, word: string) => values[word] ?? whole);
}
