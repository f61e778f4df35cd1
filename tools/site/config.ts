// The configuration of the documentation site (docs/decisions/0033-documentation-site.md).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchor } from '../check/docs/markdown.ts';
import { adaptMarkdown, type Markdown } from './markdown.ts';
import { groups, pages, root, sitePath } from './pages.ts';

type Resolver = { resolve(id: string, importer: string, options: { skipSelf: boolean }): Promise<unknown> };

/** The Markdown files are outside of this folder, and would not find the Vue that is installed in it. */
export function vueOfTheSite() {
  return {
    name: 'settee:vue-of-the-site',
    enforce: 'pre' as const,
    resolveId(this: Resolver, id: string): Promise<unknown> | undefined {
      if (id !== 'vue' && id !== 'vue/server-renderer') return undefined;
      return this.resolve(id, join(import.meta.dirname, 'package.json'), { skipSelf: true });
    },
  };
}

/** Roles of the search box that hide its content from screen readers, and what is right. */
const CORRECTIONS: [wrong: string, right: string][] = [
  [
    `      role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"
`,
    `      role="dialog"
      aria-modal="true"
`,
  ],
  // An option may not contain a link: the link is the option.
  [
    `            :id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"
          >
            <a
`,
    `            role="presentation"
          >
            <a
              :id="'localsearch-item-' + index"
              :aria-selected="selectedIndex === index ? 'true' : 'false'"
              role="option"
`,
  ],
  ['<kbd :aria-label', '<kbd role="img" :aria-label'],
];

/** Corrects the search box of VitePress 2.0.0-alpha.20. The build fails when a newer one differs. */
export function searchDialog() {
  return {
    name: 'settee:search-dialog',
    enforce: 'pre' as const,
    transform(code: string, id: string): string | undefined {
      if (!id.endsWith('/VPLocalSearchBox.vue')) return undefined;
      return CORRECTIONS.reduce((corrected, [wrong, right]) => {
        if (!corrected.includes(wrong))
          throw new Error(`VitePress has changed its search box, which had:\n${wrong}`);
        return corrected.replaceAll(wrong, right);
      }, code);
    },
  };
}

/** For links to source files: the address of the repository, without a slash at its end. */
const repository = process.env.REPOSITORY_URL || undefined;

const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(root, 'web/public/favicon.svg'), 'utf8'))}`;

export const OUT = join(root, 'tools/site/dist');

const NO_PAGES = '.* bin e2e gallery ops protocol server test-results tools/!(site) web'.split(' ');

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
    nav: [
      { text: 'Docs', link: '/about.md' },
      { text: 'Tour', link: '/tour.md' },
      { text: 'Guarantees', link: '/behaviour.md' },
    ],
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
