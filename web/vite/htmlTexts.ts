import { defaultBrand } from '@settee/protocol/model/brand';
import { escapeHtml } from '@settee/protocol/render/escapeHtml';
import { fillVisitorPage } from '@settee/protocol/render/visitorPage';
import { landingTexts } from '@settee/protocol/texts/landingTexts';
import { pageTexts } from '@settee/protocol/texts/pageTexts';
import { texts } from '@settee/protocol/texts/texts';
import type { Plugin } from 'vite';

const allTexts: Record<string, unknown> = { ...texts, ...pageTexts, ...landingTexts };

/**
 * Replaces `{{texts.name}}` in a page with the protocol's text at build time. The gateway fills in the profile for
 * every request. The dev server uses the default profile until the script has read the real one.
 */
export function htmlTexts(): Plugin {
  let developing = false;
  return {
    name: 'settee-html-texts',
    configResolved(config) {
      developing = config.command === 'serve';
    },
    transformIndexHtml: {
      order: 'pre',
      handler(html) {
        const filled = html.replace(/\{\{texts\.(\w+)\}\}/g, (_, name: string) => {
          const text = allTexts[name];
          if (typeof text !== 'string') throw new Error(`there is no text named ${name}`);
          return escapeHtml(text);
        });
        return developing ? fillVisitorPage(filled, defaultBrand) : filled;
      },
    },
  };
}
