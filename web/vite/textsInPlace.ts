import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { texts } from '@settee/protocol/texts/texts';
import type { Plugin } from 'vite';

const tables: Record<string, Record<string, unknown>> = {
  texts,
  deviceTexts,
  imageTexts,
  pushTexts,
  rightsTexts,
};

/**
 * `texts.name` becomes the text itself when a page is built. A bundler keeps an object whole, so otherwise the first
 * script would carry every text of the product, also those of parts that come later or never.
 */
export function textsInPlace(): Plugin {
  return {
    name: 'settee-texts-in-place',
    apply: 'build',
    // Before the imports are resolved and rewritten.
    enforce: 'pre',
    transform(code) {
      const placed = withTextsInPlace(code);
      // No text has a line break, so every line keeps its number.
      return placed === code ? undefined : { code: placed, map: null };
    },
  };
}

export function withTextsInPlace(code: string): string {
  return Object.entries(tables).reduce(placed, code);
}

function placed(code: string, [table, words]: [string, Record<string, unknown>]): string {
  const imported = new RegExp(
    `import \\{ ${table} \\} from '(?:@settee/protocol/texts/${table}|(?:\\./|\\.\\./texts/)${table}\\.ts)'`,
  );
  if (!imported.test(code)) return code;
  return code.replace(new RegExp(`(?<![\\w./])${table}\\.(\\w+)`, 'g'), (whole, name: string) =>
    // Anything else is a file's name in a comment, say: the compiler knows which texts there are.
    name in words ? JSON.stringify(words[name]) : whole,
  );
}
