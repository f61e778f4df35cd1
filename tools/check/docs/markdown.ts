// The parts of a Markdown page that refer to the repository.

export type Located = { line: number; text: string };

export type Page = {
  /** Lines outside of fenced blocks. */
  prose: Located[];
  /** Links to files and headings. */
  links: Located[];
  /** `code` within a line. */
  spans: Located[];
  /** Lines of fenced shell blocks. Continued lines are joined. */
  shell: Located[];
  /** Anchors of the headings, as GitHub creates them. */
  anchors: Set<string>;
};

const FENCE = /^\s*(`{3,})(\w*)/;
const SHELLS = new Set(['sh', 'bash', 'shell', 'console']);

export function readPage(markdown: string): Page {
  const page: Page = { prose: [], links: [], spans: [], shell: [], anchors: new Set() };
  let fence: { mark: string; shell: boolean } | undefined;
  let continued = '';
  for (const [index, text] of markdown.split('\n').entries()) {
    const line = index + 1;
    const [, mark, language = ''] = FENCE.exec(text) ?? [];
    if (fence === undefined && mark !== undefined) fence = { mark, shell: SHELLS.has(language) };
    else if (fence === undefined) readLine(page, line, text);
    else if (mark?.startsWith(fence.mark) && language === '') fence = undefined;
    else if (fence.shell) {
      continued += text.replace(/\\$/, ' ');
      if (text.endsWith('\\')) continue;
      if (continued.trim() !== '') page.shell.push({ line, text: continued.trim() });
      continued = '';
    }
  }
  return page;
}

function readLine(page: Page, line: number, text: string): void {
  page.prose.push({ line, text });
  const heading = /^#{1,6} (.+)$/.exec(text)?.[1];
  if (heading !== undefined) page.anchors.add(unusedAnchor(page.anchors, anchor(heading)));
  for (const [, code = ''] of text.matchAll(/`([^`]+)`/g)) page.spans.push({ line, text: code });
  const plain = text.replaceAll(/`[^`]+`/g, '');
  for (const [, target, attribute] of plain.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g))
    page.links.push({ line, text: target ?? attribute ?? '' });
}

export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

function unusedAnchor(used: Set<string>, wanted: string): string {
  let number = 0;
  while (used.has(number === 0 ? wanted : `${wanted}-${number}`)) number += 1;
  return number === 0 ? wanted : `${wanted}-${number}`;
}
