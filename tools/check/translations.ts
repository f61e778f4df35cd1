// Lists the texts that have no translation yet: people see them in English. A release needs all: `--release` fails.
import { staffCatalogue, visitorCatalogue } from '../../protocol/src/texts/catalogues.ts';
import { staffTranslations, visitorTranslations } from '../../protocol/src/translations/translations.ts';
import { closingLine } from './counts.ts';

let complete = 0;
let incomplete = 0;
list('visitor', visitorCatalogue, visitorTranslations);
list('staff', staffCatalogue, staffTranslations);

const isRelease = process.argv.includes('--release');
console.log(closingLine({ passed: complete, failed: isRelease ? incomplete : 0, skipped: 0 }));
process.exitCode = isRelease && incomplete > 0 ? 1 : 0;

function list(file: string, english: object, translations: object): void {
  for (const [language, texts] of Object.entries(translations)) {
    const there = new Set(namesIn(texts));
    const missing = namesIn(english).filter((name) => !there.has(name));
    if (missing.length === 0) complete += 1;
    else {
      incomplete += 1;
      console.log(`  ${language}/${file}.ts has no ${missing.join(', ')}`);
    }
  }
}

function namesIn(texts: unknown, name = ''): string[] {
  if (typeof texts === 'string') return [name];
  return Object.entries(texts as object).flatMap(([key, each]) =>
    namesIn(each, (name && `${name}.${key}`) || key),
  );
}
