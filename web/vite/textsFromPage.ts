import { join } from 'node:path';
import { staffCatalogue, visitorCatalogue } from '@settee/protocol/texts/catalogues';
import type { Plugin } from 'vite';

const SOURCE = join(import.meta.dirname, '../src/browser/pageTexts.ts');
const TEXTS = /\/protocol\/src\/(?:texts\/\w+|translations\/cardTextsByLanguage)\.ts$/;
const names = new Set([...Object.keys({ ...visitorCatalogue, ...staffCatalogue }), 'cardTextsByLanguage']);

/** Pages take their texts from the catalogue in the HTML. Tests import the English ones directly. */
export function textsFromPage(): Plugin {
  return {
    name: 'settee-texts-from-page',
    enforce: 'pre',
    transform(code, id) {
      if (!TEXTS.test(id)) return undefined;
      const exported = [...code.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
      const tables = exported.filter((name) => names.has(name));
      if (tables.length === 0) return undefined;
      const lines = tables.map((name) => `export const ${name} = pageTexts.${name} ?? {};`);
      return {
        code: [`import { pageTexts } from ${JSON.stringify(SOURCE)};`, ...lines].join('\n'),
        map: null,
      };
    },
  };
}
