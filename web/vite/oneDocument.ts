import type { Plugin } from 'vite';

const PAGES = /\/(?:index|visitor)\.html$/;
const STYLES = /<link rel="stylesheet" crossorigin href="\/(?<file>[^"]+)">/g;
const SCRIPTS =
  /^\s*<(?:script type="module" crossorigin src|link rel="modulepreload" crossorigin href)=.*\n/gm;

/**
 * Makes the HTML of the public pages enough for the first paint. It contains the style sheet, which the gateway allows by
 * its hash. The scripts wait in a template until something has been painted (see beforeFirstPaint.ts).
 */
export function oneDocument(): Plugin {
  return {
    name: 'settee-one-document',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { path, bundle = {} }) {
        if (!PAGES.test(path)) return html;
        const scripts = html.match(SCRIPTS) ?? [];
        const page = html
          .replace(SCRIPTS, '')
          .replace(
            STYLES,
            (_, file: string) => `<style data-file="/${file}">${cssOf(bundle[file]).trim()}</style>`,
          )
          .replace(
            /^\s*<\/body>/m,
            (end) => `    <template data-app>\n${scripts.join('')}    </template>\n${end}`,
          );
        if (scripts.length === 0 || !page.includes('<style'))
          this.error(`${path} has other tags: see oneDocument.ts`);
        return page;
      },
    },
  };
}

type Output = { type: string; source?: string | Uint8Array };

function cssOf(output: Output | undefined): string {
  if (output?.source === undefined) throw new Error('the page names a style sheet that was not built');
  return String(output.source);
}
