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
 * Replaces `texts.name` with the text itself at build time. A bundler keeps an object whole, so otherwise the first
 * script would contain every text, including those of parts that load later or never.
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
    // Anything else is not a text, for example a file name in a comment. The compiler checks the names of texts.
    name in words ? JSON.stringify(words[name]) : whole,
  );
}
