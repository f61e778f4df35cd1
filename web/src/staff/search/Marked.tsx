import type { SnippetPart } from './snippet.ts';

export function Marked({ parts }: { parts: readonly SnippetPart[] }) {
  return parts.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id but their position
    part.hit ? <mark key={index}>{part.text}</mark> : part.text,
  );
}
