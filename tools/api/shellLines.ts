/** What the `sh` blocks of a Markdown text say, in order. */
export function shellLines(markdown: string): string {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('\n');
}
