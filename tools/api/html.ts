import { alternatives, rowsOf, typeOf } from './rows.ts';
import type { Json } from './schemas.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
}

/** Plain text with `code` in it. */
export function prose(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

export function idOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** The name of a shape leads to it. */
export function linked(type: string): string {
  return escaped(type).replaceAll(/\$(\w+)/g, '<a href="#shape-$1">$1</a>');
}

export function fields(schema: Json, caption: string): string {
  const all = alternatives(schema);
  return all
    .map((each, at) => {
      const which = all.length > 1 ? `${caption}, ${at + 1} of ${all.length}` : caption;
      const rows = rowsOf(each);
      if (rows.length === 0) return `<p>${escaped(which)}: ${linked(typeOf(each))}</p>`;
      return table(
        which,
        ['field', 'type', 'what it is'],
        rows.map(({ field, type, needed, words }) => [
          `<code>${escaped(field)}</code>${needed ? '' : ' <small>may be left out</small>'}`,
          linked(type),
          prose(words),
        ]),
      );
    })
    .join('\n');
}

/** Scrolls by itself where it is too wide, and can be reached by the keyboard to do so. */
export function table(caption: string, head: string[], rows: string[][]): string {
  const line = (cells: string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<div class="wide" role="group" aria-label="${escaped(caption)}" tabindex="0"><table><caption>${escaped(caption)}</caption>
<thead>${line(head, 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</thead>
<tbody>
${rows.map((cells) => line(cells, 'td')).join('\n')}
</tbody></table></div>`;
}
