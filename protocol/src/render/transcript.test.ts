import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { transcriptTexts } from '../texts/transcriptTexts.ts';
import { type TranscriptFormat, transcriptName, transcriptWriter } from './transcript.ts';
import { TRANSCRIPT_STYLE, TRANSCRIPT_STYLE_HASH } from './transcriptHtml.ts';
import type { TranscriptHead, TranscriptMessage, TranscriptWords } from './transcriptTypes.ts';

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
