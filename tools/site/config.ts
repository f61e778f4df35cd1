// The configuration of the documentation site (docs/decisions/0033-documentation-site.md).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchor } from '../check/docs/markdown.ts';
import { adaptMarkdown, type Markdown } from './markdown.ts';
import { groups, pages, root, sitePath } from './pages.ts';
import { searchDialog } from './searchDialog.ts';
import { vueOfTheSite } from './vueOfTheSite.ts';

/** For links to source files: the address of the repository, without a slash at its end. */
const repository = process.env.REPOSITORY_URL || undefined;

const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(root, 'web/public/favicon.svg'), 'utf8'))}`;

export const OUT = join(root, 'tools/site/dist');

const NO_PAGES = ['.*', 'bin', 'e2e', 'gallery', 'ops', 'protocol', 'server', 'test-results', 'tools', 'web'];

/** Without the types of VitePress, which is installed only where the site is built. */
export const config = {
  title: 'Settee',
  description: 'Self-hosted one-to-one live chat. Install it, run it, trust it, change it.',
  lang: 'en-GB',
  srcDir: root,
  outDir: OUT,
  cacheDir: join(root, 'tools/site/node_modules/.cache'),
  // Works in every folder of every host.
  base: './',
  // Everything else is not a page, and must not be searched for pages either.
  srcExclude: [...NO_PAGES.map((folder) => `${folder}/**`), 'docs/api/**'],
  rewrites: sitePath,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: icon }],
    ['meta', { name: 'theme-color', media: '(prefers-color-scheme: light)', content: '#fbf7f2' }],
    ['meta', { name: 'theme-color', media: '(prefers-color-scheme: dark)', content: '#161014' }],
  ],
  markdown: {
    // The same anchors as on a forge.
    anchor: { slugify: anchor },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (markdown: Markdown) => adaptMarkdown(markdown, repository),
  },
  themeConfig: {
    logo: { src: icon, alt: '' },
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            // Guides first: lists and records mention everything.
            boostDocument: (id: string) => (/(?:behaviour|asvs|changelog|decisions)/.test(id) ? 0.2 : 1),
          },
        },
      },
    },
    sidebar: groups.map(({ text, entries, collapsed }) => ({
      text,
      ...(collapsed !== undefined && { collapsed }),
      items: entries.map((each) => ({ text: each.text, link: `/${pages.get(each.file)}` })),
    })),
    notFound: {
      title: 'This page does not exist',
      quote: 'Search for it, or begin at the start page.',
      linkText: 'Start page',
      linkLabel: 'Start page',
    },
    outline: { level: [2, 3], label: 'On this page' },
    ...(repository !== undefined && {
      socialLinks: [{ icon: 'git', link: repository, ariaLabel: 'Repository' }],
      editLink: {
        pattern: ({ filePath }: { filePath: string }) => `${repository}/edit/main/${filePath}`,
        text: 'Edit this page',
      },
    }),
    externalLinkIcon: true,
  },
  vite: {
    publicDir: false,
    plugins: [searchDialog(), vueOfTheSite()],
  },
};
