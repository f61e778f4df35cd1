import { escapeHtml } from './escapeHtml.ts';

type Filling = { parts: Record<string, boolean>; values: Record<string, string> };

/**
 * Keeps or removes `<!--if part-->…<!--end part-->` and replaces `{{value}}` with text. Filled-in text is not processed
 * again.
 */
export function fillPage(template: string, { parts, values }: Filling): string {
  return template
    .replace(/<!--if (\w+)-->([\s\S]*?)<!--end \1-->/g, (_, part: string, inner: string) =>
      known(parts, part) ? inner : '',
    )
    .replace(/\{\{(\w+)\}\}/g, (_, value: string) => escapeHtml(known(values, value)));
}

function known<T>(fillings: Record<string, T>, name: string): T {
  const filling = fillings[name];
  if (filling === undefined) throw new Error(`the page asks for ${name}, which nobody fills in`);
  return filling;
}
