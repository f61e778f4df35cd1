import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { texts } from '@settee/protocol/texts/texts';
import { expect, test } from 'vitest';
import { withTextsInPlace } from './textsInPlace.ts';

const IMPORT = "import { texts } from '@settee/protocol/texts/texts';\n";

test('a text stands where it is used, in code, markup and templates alike', () => {
  const code = `${IMPORT}a(texts.send); <b title={texts.copy}>{texts.noticesUnblock}</b>; \`\${texts.today}!\``;
  expect(withTextsInPlace(code)).toBe(
    `${IMPORT}a("${texts.send}"); <b title={"${texts.copy}"}>{${JSON.stringify(texts.noticesUnblock)}}</b>; \`\${"${texts.today}"}!\``,
  );
});

test('a file beside the table imports it by its path', () => {
  const code = "import { texts } from './texts.ts';\ntexts.send";
  expect(withTextsInPlace(code)).toBe(code.replace('texts.send', `"${texts.send}"`));
});

test('each table is known by its own import; other names are left alone', () => {
  const images =
    "import { imageTexts } from '@settee/protocol/texts/imageTexts';\nimageTexts.close; texts.send";
  expect(withTextsInPlace(images)).toContain(`\n"${imageTexts.close}"; texts.send`);
  const others = `${IMPORT}page.texts.send; mytexts.send; texts[name] // as in texts.ts`;
  expect(withTextsInPlace(others)).toBe(others);
});
