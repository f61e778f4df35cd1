import { expect, test } from 'vitest';
import { visitorLanguages } from '../texts/languages.ts';
import { visitorCatalogues } from '../translations/translations.ts';
import { translatedPage, translatedStaffPage } from './translatedPage.ts';

const template =
  '<html lang="en" dir="ltr"><p>{{texts.startChat}}</p><script type="application/json" id="texts">"{{catalogue}}"</script></html>';

test.each(visitorLanguages)('a page in %s has the texts of this language only', (language) => {
  const page = translatedPage(template, language, 'visitor');
  const { texts, imageTexts } = visitorCatalogues[language];
  expect(page).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
  const block: unknown = JSON.parse(/id="texts">(.*)<\/script>/.exec(page)?.[1] ?? '');
  expect(block).toMatchObject({ texts, imageTexts });
  for (const other of visitorLanguages) {
    if (other !== language) expect(page).not.toContain(visitorCatalogues[other].texts.privateNote);
  }
});

test('the catalogue cannot end its element, and the profile is not filled in', () => {
  const page = translatedStaffPage(template, 'fr');
  expect(page.match(/<\/script>/g)).toHaveLength(1);
  expect(page.match(/\{\{/g)).toBeNull();
});

test('a page with an unknown text is refused', () => {
  expect(() => translatedPage('{{texts.nothing}}', 'en', 'landing')).toThrow('nothing');
});
