import { defaultBrand } from '@settee/protocol/model/brand';
import { translatedPage, translatedStaffPage } from '@settee/protocol/render/translatedPage';
import { fillVisitorPage } from '@settee/protocol/render/visitorPage';
import {
  type Language,
  type StaffLanguage,
  staffLanguages,
  visitorLanguages,
} from '@settee/protocol/texts/languages';
import { visitorCatalogues } from '@settee/protocol/translations/translations';
import type { Plugin } from 'vite';

const entries: [RegExp, string][] = [
  [/^\/i\//, '/visitor.html'],
  [/^\/chat(\/|\?|$)/, '/visitor.html'],
  [/^\/admin(\/|\?|$)/, '/admin.html'],
  [/^\/handler(-test)?(\/|\?|$)/, '/handler.html'],
];

/** Serves the entry of each route in development, as the gateway does in production. */
export function entryPerRoute(): Plugin {
  return {
    name: 'settee-entry-per-route',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const { url = '' } = request;
        // The gateway serves the manifest, although its address is below a page's.
        const entry = url.endsWith('.webmanifest') ? undefined : entries.find(([route]) => route.test(url));
        if (entry) request.url = entry[1];
        next();
      });
    },
  };
}

/**
 * The gateway fills the texts of the visitor's language and the profile into a page for every request. The dev server
 * does it here: in English, or in the language of `?language=de`, and with the default profile until the script has
 * read the real one.
 */
export function htmlTexts(): Plugin {
  return {
    name: 'settee-html-texts',
    apply: 'serve',
    transformIndexHtml: {
      order: 'pre',
      handler(html, { path, originalUrl = '' }) {
        const asked = new URL(originalUrl, 'http://localhost').searchParams.get('language');
        const choose = <L extends Language>(offered: readonly L[]) =>
          offered.find((each) => each === asked) ?? 'en';
        if (/\/(?:handler|admin)\.html$/.test(path)) {
          return translatedStaffPage(html, choose<StaffLanguage>(staffLanguages));
        }
        const language = choose(visitorLanguages);
        const visitor = path.endsWith('/visitor.html');
        const page = translatedPage(html, language, visitor ? 'visitor' : 'landing');
        return visitor ? fillVisitorPage(page, defaultBrand, visitorCatalogues[language].texts) : page;
      },
    },
  };
}
