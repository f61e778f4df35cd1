/** Fills in the `{words}` of a text. Filled-in text is not processed again. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, word: string) => values[word] ?? whole);
}
