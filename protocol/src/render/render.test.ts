import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOr } from '../../../tools/fullSize.ts';
import { type Brand, defaultBrand } from '../model/brand.ts';
import { visitorLanguages } from '../texts/languages.ts';
import { transcriptTexts } from '../texts/transcriptTexts.ts';
import { visitorCatalogues } from '../translations/translations.ts';
import { csvCell, csvHead, csvLine } from './csv.ts';
import { type TranscriptFormat, transcriptName, transcriptWriter } from './transcript.ts';
import { TRANSCRIPT_STYLE, TRANSCRIPT_STYLE_HASH } from './transcriptHtml.ts';
import type { TranscriptHead, TranscriptMessage, TranscriptWords } from './transcriptTypes.ts';
import { translatedPage, translatedStaffPage } from './translatedPage.ts';
import { fillVisitorPage } from './visitorPage.ts';

fc.configureGlobal({ seed: seedOr(Date.now) });

test('no cell of a CSV file is a formula, whatever a person’s name is', () => {
  for (const text of [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '"=1"',
    "'=1",
    '|cmd',
    '\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    ' ＝1',
  ]) {
    const cell = csvCell(text).replace(/^"/, '');
    expect(cell.startsWith("'"), text).toBe(true);
  }
  expect(csvLine(['Ana', 'says "hi", twice', 3, null, -4])).toBe('Ana,"says ""hi"", twice",3,,-4\r\n');
});

test('a CSV file starts with the byte order mark of UTF-8', () => {
  expect(csvHead(['label', 'link'])).toBe('\uFEFFlabel,link\r\n');
});

test('no cell is a formula where cells are separated by semicolon or tab', () => {
  expect(csvCell("x;=cmd|' /C calc'!A0;y")).toBe(`"x;'=cmd|' /C calc'!A0;y"`);
  expect(csvLine(['Ana', 'see;\t "=1"\n@x', 'ok ;-) a - b = c'])).toBe(
    `Ana,"see;\t' ""=1""\n'@x",ok ;-) a - b = c\r\n`,
  );
  const nasty = fc.string({ unit: fc.constantFrom(...';\t\r\n"\' ,=+-@|)x＝－'.split('')) });
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 1, maxLength: 4 }), (cells) => {
      // However a spreadsheet reads the quotes, none of its cells may begin a formula.
      for (const theirs of csvLine(cells).split(/[;\t\r\n]/))
        expect(theirs).not.toMatch(/^[\s"]*([=+@|＝＋－＠｜]|-(?!\)))/);
    }),
  );
});

const head: TranscriptHead = {
  conversationId: '0f3a21c0-0000-4000-8000-000000000001',
  visitorName: 'Adaeze <b>Obi</b>',
  profileName: 'Mara "M" Lind & Co',
  startedAt: Date.UTC(2026, 10, 13, 8, 41),
  exportedAt: Date.UTC(2026, 10, 15, 22, 5),
  timeZone: 'Europe/Berlin',
};
const staff = { handlerAlias: 'mara-east', inviteLabel: 'Lyon, no. 60', status: 'blocked' };

const messages: TranscriptMessage[] = [
  {
    seq: 1,
    id: '00000000-0000-4000-8000-000000000001',
    sender: 'visitor',
    text: '=HYPERLINK("x")\n</script><img src=x onerror=alert(1)>',
    createdAt: Date.UTC(2026, 10, 13, 23, 30),
    writtenBy: 'nobody',
  },
  {
    seq: 2,
    id: '00000000-0000-4000-8000-000000000002',
    sender: 'owner',
    text: '',
    createdAt: Date.UTC(2026, 10, 14, 9, 5),
    image: { fileName: 'lyon"<.jpg', mediaType: 'image/jpeg', size: 1_258_291, width: 3, height: 2 },
    writtenBy: 'Ewa Staff',
  },
];

const english: TranscriptWords = { language: 'en', texts: transcriptTexts };

function whole(
  format: TranscriptFormat,
  of: TranscriptHead,
  pages = [messages],
  words: TranscriptWords = english,
): string {
  const writer = transcriptWriter(format, of, words);
  return writer.begin() + pages.map((page) => writer.page(page)).join('') + writer.end();
}

test('[ADMIN-26] JSON has every field, whatever the pages were', () => {
  const read = JSON.parse(
    whole('json', { ...head, staff }, [[], messages.slice(0, 1), [], messages.slice(1)]),
  );
  expect(read).toEqual(JSON.parse(whole('json', { ...head, staff })));
  expect(read).toMatchObject({ ...staff, visitorName: head.visitorName, profileName: head.profileName });
  expect(read.messages).toEqual([
    {
      seq: 1,
      id: messages[0]?.id,
      sender: 'visitor',
      writtenBy: 'nobody',
      createdAt: '2026-11-13T23:30:00.000Z',
      text: messages[0]?.text,
    },
    {
      seq: 2,
      id: messages[1]?.id,
      sender: 'owner',
      writtenBy: 'Ewa Staff',
      createdAt: '2026-11-14T09:05:00.000Z',
      text: '',
      image: messages[1]?.image,
    },
  ]);
  expect(JSON.parse(whole('json', head, [])).messages).toEqual([]);
});

test('[ADMIN-26] CSV names both sides, and no cell is a formula', () => {
  const lines = whole('csv', { ...head, staff }).split('\r\n');
  expect(lines[0]).toBe(
    '\uFEFFnumber,time,from,name,text,image,image type,image bytes,written by,handler alias,invite,status',
  );
  expect(lines[1]).toContain('"\'=HYPERLINK(""x"")');
  expect(lines[2]).toContain('1258291,Ewa Staff,mara-east,"Lyon, no. 60",blocked');
});

test('[ADMIN-26] the readable page has days as text, in the reader’s time, and no text becomes markup', () => {
  const page = whole('html', { ...head, staff });
  // Half an hour before midnight in UTC is the day after in Berlin.
  expect([...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, day]) => day)).toEqual([
    expect.stringMatching(/^Saturday,? 14 November 2026$/),
  ]);
  expect(page).toContain('00:30</time>');
  expect(page).toContain('Image: lyon&quot;&lt;.jpg (1.2 MB)');
  expect(page).toContain('Adaeze &lt;b&gt;Obi&lt;/b&gt;');
  expect(page).not.toMatch(/<(?:script|img|b>Obi|link|iframe)/);
  expect(page).not.toMatch(/https?:/);
  expect(whole('html', head, [])).toContain('No messages.');
});

test('a transcript is in the language of its reader', () => {
  const texts = { ...transcriptTexts, image: 'Bild: {name} ({size})' };
  const german = whole('html', head, [messages], { language: 'de', texts });
  expect(german).toContain('<html lang="de">');
  expect(german).toContain('<h2>Samstag, 14. November 2026</h2>');
  expect(german).toContain('Bild: lyon&quot;&lt;.jpg (1,2 MB)');
  expect(whole('html', head, [messages], { language: 'ar', texts })).toContain('<html lang="ar" dir="rtl">');
});

test('[PAGE-04] the readable page’s policy allows its own style and nothing else', () => {
  const hash = createHash('sha256').update(TRANSCRIPT_STYLE).digest('base64');
  expect(TRANSCRIPT_STYLE_HASH).toBe(`sha256-${hash}`);
  expect(whole('html', head)).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
  );
});

test.each(['json', 'csv', 'html'] as const)(
  '[PRIVACY-05] a visitor’s %s contains nothing about staff',
  (format) => {
    const page = whole(format, head);
    for (const secret of ['Ewa', 'nobody', 'mara-east', 'blocked', 'Lyon, no', 'written', 'alias']) {
      expect(page).not.toContain(secret);
    }
  },
);

test('[ADMIN-26] the file is named after the conversation and the day', () => {
  expect(transcriptName('html', head)).toBe('conversation-0f3a21c0-2026-11-15.html');
});

const template =
  '<html lang="en" dir="ltr"><p>{{texts.startChat}}</p><script type="application/json" id="texts">"{{catalogue}}"</script></html>';

test.each(visitorLanguages)('a page in %s has the texts of its script in this language only', (language) => {
  const page = translatedPage(template, language, 'visitor');
  const { texts, imageTexts } = visitorCatalogues[language];
  expect(page).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
  const block: unknown = JSON.parse(/id="texts">(.*)<\/script>/.exec(page)?.[1] ?? '');
  const { privateNote } = texts;
  expect(block).toMatchObject({ texts: { privateNote }, imageTexts });
  // Only staff see it.
  expect(block).not.toHaveProperty('texts.accessDenied');
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

const brand: Brand = { ...defaultBrand, displayName: 'Mara Lindqvist', avatarUrl: '/mara.webp?v=1' };

test('[PAGE-04] the profile is filled in, and invalid parts are left out', () => {
  const template =
    '<b>{{name}}</b><!--if letters-->{{initials}}<!--end letters--><!--if picture--><img src="{{avatarUrl}}"><!--end picture--><!--if verified--><i></i><!--end verified-->';
  expect(fillVisitorPage(template, brand)).toBe('<b>Mara Lindqvist</b><img src="/mara.webp?v=1"><i></i>');
  expect(fillVisitorPage(template, { ...brand, avatarUrl: null, verified: false })).toBe(
    '<b>Mara Lindqvist</b>ML',
  );
});

test('[PAGE-04] whatever an administrator writes stays text', () => {
  const nasty = `</title><script>alert("1")</script>'&{{brand}}<!--if picture-->$&`;
  const page = fillVisitorPage('<title>{{name}}</title>', { ...brand, displayName: nasty });
  expect(page).toBe(
    '<title>&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;{{brand}}&lt;!--if picture--&gt;$&amp;</title>',
  );
});

test('[PAGE-04] a page with an unknown placeholder is refused', () => {
  expect(() => fillVisitorPage('{{token}}', brand)).toThrow('token');
  expect(() => fillVisitorPage('<!--if bound-->x<!--end bound-->', brand)).toThrow('bound');
});
