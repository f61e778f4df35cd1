import { defaultBrand } from '@settee/protocol/model/brand';
import { escapeHtml, fillVisitorPage } from '@settee/protocol/render/visitorPage';
import { landingTexts } from '@settee/protocol/texts/landingTexts';
import { pageTexts } from '@settee/protocol/texts/pageTexts';
import { texts } from '@settee/protocol/texts/texts';
import type { Plugin } from 'vite';

const words: Record<string, unknown> = { ...texts, ...pageTexts, ...landingTexts };

/**
 * `{{texts.name}}` in a page becomes the protocol's text when it is built. The profile is filled in by the gateway,
 * for every request; the dev server has no profile at hand and takes the defaults until the script has asked.
 */
export function pageWords(): Plugin {
  let developing = false;
  return {
    name: 'settee-page-words',
    configResolved(config) {
      developing = config.command === 'serve';
    },
    transformIndexHtml: {
      order: 'pre',
      handler(html) {
        const worded = html.replace(/\{\{texts\.(\w+)\}\}/g, (_, name: string) => {
          const text = words[name];
          if (typeof text !== 'string') throw new Error(`there is no text named ${name}`);
          return escapeHtml(text);
        });
        return developing ? fillVisitorPage(worded, defaultBrand) : worded;
      },
    },
  };
}
