/** All that came back, as one text. An image comes back without words. */
export function wordsOf(handedBack: readonly string[]): string {
  return handedBack.filter((words) => words !== '').join('\n');
}

/** Words that came back, before whatever was written since. Those that stand there already are not put there twice. */
export function prependDraft(words: string, text: string): string {
  if (text === '' || words === '' || startsWith(words, text)) return text || words;
  return `${words}\n${text}`;
}

/** What was written since, without the words before it. */
export function removeSentText(words: string, text: string): string {
  return startsWith(words, text) ? text.slice(words.length + 1) : text;
}

function startsWith(words: string, text: string): boolean {
  return text === words || text.startsWith(`${words}\n`);
}
