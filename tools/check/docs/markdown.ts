// What a Markdown page says of the repository: links, code in its lines, blocks of shell.

export type Said = { line: number; text: string };

export type Page = {
  /** Links to files and headings of this repository. */
  links: Said[];
  /** `code` within a line. */
  spans: Said[];
  /** Lines of fenced blocks for a shell, continued lines joined. */
  shell: Said[];
  /** Headings' anchors, as GitHub makes them. */
  anchors: Set<string>;
  /** Rows of tables, cell by cell. */
  rows: { line: number; cells: string[] }[];
};

const FENCE = /^\s*(`{3,})(\w*)/;
const SHELLS = new Set(['sh', 'bash', 'shell', 'console']);

export function readPage(markdown: string): Page {
  const page: Page = { links: [], spans: [], shell: [], anchors: new Set(), rows: [] };
  let fence: { mark: string; shell: boolean } | undefined;
  let continued = '';
  for (const [index, text] of markdown.split('\n').entries()) {
    const line = index + 1;
    const mark = FENCE.exec(text);
    if (fence !== undefined) {
      if (mark?.[1]?.startsWith(fence.mark) && mark[2] === '') fence = undefined;
      else if (fence.shell) {
        continued += text.replace(/\\$/, ' ');
        if (text.endsWith('\\')) continue;
        if (continued.trim() !== '') page.shell.push({ line, text: continued.trim() });
        continued = '';
      }
      continue;
    }
    if (mark !== null) {
      fence = { mark: mark[1] ?? '', shell: SHELLS.has(mark[2] ?? '') };
      continue;
    }
    readLine(page, line, text);
  }
  return page;
}

function readLine(page: Page, line: number, text: string): void {
  const heading = /^#{1,6} (.+)$/.exec(text)?.[1];
  if (heading !== undefined) page.anchors.add(unusedAnchor(page.anchors, anchor(heading)));
  for (const [, code] of text.matchAll(/`([^`]+)`/g)) page.spans.push({ line, text: code ?? '' });
  const prose = text.replaceAll(/`[^`]+`/g, '');
  for (const [, target] of prose.matchAll(/\]\(([^)\s]+)\)/g)) page.links.push({ line, text: target ?? '' });
  for (const [, target] of prose.matchAll(/(?:src|srcset|href)="([^"]+)"/g))
    page.links.push({ line, text: target ?? '' });
  if (/^\|.*\|$/.test(text) && !/^\|[ :|-]+\|$/.test(text)) {
    page.rows.push({
      line,
      cells: text
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    });
  }
}

function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

function unusedAnchor(taken: Set<string>, wanted: string): string {
  let number = 0;
  while (taken.has(number === 0 ? wanted : `${wanted}-${number}`)) number += 1;
  return number === 0 ? wanted : `${wanted}-${number}`;
}
