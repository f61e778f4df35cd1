// What the site changes in the Markdown of the repository, which stays readable on a forge.
import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { groups, pages, root } from './pages.ts';

/** The parts of markdown-it that this file uses. */
type Token = {
  type: string;
  tag: string;
  nesting: number;
  content: string;
  children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
};
type State = { src: string; env: unknown; tokens: Token[] };
type Rule = (state: State) => void;
type Ruler = Record<'before' | 'after', (existing: string, name: string, rule: Rule) => void>;
export type Markdown = { core: { ruler: Ruler } };

type Environment = { realPath?: string; path: string };

const DECISIONS = 'docs/decisions/README.md';

/** `repository` is the address of the repository on a forge. Without it, a reference to a source file is plain text. */
export function adaptMarkdown(markdown: Markdown, repository: string | undefined): void {
  markdown.core.ruler.before('normalize', 'list-of-decisions', (state) => {
    if (fileOf(state.env as Environment) === DECISIONS) state.src += listOfDecisions();
  });
  markdown.core.ruler.after('inline', 'links-and-pictures', (state) => {
    const file = fileOf(state.env as Environment);
    for (const token of state.tokens) {
      if (token.type === 'html_block') token.content = adaptPictures(token.content);
      if (token.children !== null) adaptLinks(token.children, file, repository);
    }
  });
}

function fileOf({ realPath, path }: Environment): string {
  const file = relative(root, realPath ?? path);
  // The search index renders pages by their address.
  return pages.has(file) ? file : ([...pages].find(([, to]) => to === file)?.[0] ?? file);
}

function listOfDecisions(): string {
  const entries = groups.find(({ text }) => text === 'Decisions')?.entries.slice(1) ?? [];
  return entries
    .map(({ text, file }) => `- [${text.replace('.', '\\.')}](${relative(dirname(DECISIONS), file)})\n`)
    .join('');
}

function adaptLinks(tokens: Token[], file: string, repository: string | undefined): void {
  let plain = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = token.attrGet('href') ?? '';
      if (/^(?:[a-z]+:|#)/.test(href)) continue;
      const address = addressOf(file, href, repository);
      plain = address === undefined;
      if (address === undefined) hide(token);
      else token.attrSet('href', address);
    } else if (token.type === 'link_close' && plain) {
      hide(token);
      plain = false;
    }
  }
}

function hide(token: Token): void {
  token.type = 'html_inline';
  token.tag = '';
  token.nesting = 0;
  token.content = '';
}

function addressOf(file: string, href: string, repository: string | undefined): string | undefined {
  const [path = '', anchor] = href.split('#');
  const target = normalize(join(dirname(file), decodeURI(path))).replace(/\/$/, '');
  if (!existsSync(join(root, target))) throw new Error(`${file} links to ${href}, which does not exist`);
  const page = pages.get(target) ?? pages.get(`${target}/README.md`);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (page !== undefined) return `/${page}${hash}`;
  if (repository === undefined) return undefined;
  const kind = statSync(join(root, target)).isDirectory() ? 'tree' : 'blob';
  return `${repository}/${kind}/main/${target}${hash}`;
}

const PICTURE =
  /<picture>\s*<source media="[^"]*dark[^"]*" srcset="([^"]+)"\s*\/>\s*<img src="([^"]+)"([^>]*?)\/>\s*<\/picture>/g;

/** A forge follows the theme of the system. The site has a switch, so it needs both pictures. */
function adaptPictures(html: string): string {
  const image = (source: string, theme: string, attributes: string): string =>
    `<img src="${source.replace(/^(?!\.)/, './')}" class="in-${theme}" loading="lazy"${attributes}/>`;
  return html.replace(PICTURE, (_all, dark: string, light: string, attributes: string) => {
    const images = image(light, 'light', attributes) + image(dark, 'dark', attributes);
    // On a phone, the text of a diagram would be too small to read.
    return light.endsWith('.svg')
      ? `<span class="diagram" role="group" aria-label="Diagram" tabindex="0">${images}</span>`
      : images;
  });
}
