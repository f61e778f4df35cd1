import { fillText, localeOf, type TextValues } from '../texts/fillText.ts';
import { directionOf, type Language } from '../texts/languages.ts';
import { escapeHtml } from './escapeHtml.ts';
import type {
  TranscriptHead,
  TranscriptMessage,
  TranscriptWords,
  TranscriptWriter,
} from './transcriptTypes.ts';

/** The policy below contains its SHA-256, so that nothing else can style the page. */
export const TRANSCRIPT_STYLE = `
:root{color-scheme:light dark;--paper:#fbf7f2;--ink:#22171e;--dim:#6f5f67;--line:#e7ddd4;--in:#fff;--out:#f6e7ef}
@media(prefers-color-scheme:dark){:root{--paper:#17111a;--ink:#f3ecef;--dim:#b6a5ae;--line:#3a2b34;--in:#221920;--out:#3d2434}}
body{max-width:720px;margin:0 auto;padding:32px 20px;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
h1{font:500 1.625rem/1.3 Georgia,serif;margin:0 0 8px;overflow-wrap:anywhere}
h2{margin:28px 0 4px;font-size:.875rem;text-align:center;color:var(--dim);break-after:avoid}
p{margin:0}time{margin-inline-start:4px}.dim,time{font-size:.8125rem;color:var(--dim)}
article{width:fit-content;max-width:85%;margin-block:12px 0;margin-inline:0 auto;padding:10px 14px;border:1px solid var(--line);border-radius:14px;background:var(--in);break-inside:avoid}
article.owner{margin-inline:auto 0;background:var(--out)}
article b{overflow-wrap:anywhere}.text{white-space:pre-wrap;overflow-wrap:anywhere}
@media print{:root{--paper:#fff;--ink:#000;--dim:#444;--line:#bbb;--in:#fff;--out:#f2f2f2}body{padding:0;max-width:none;font-size:11pt}h1{font-size:20pt}article{padding:6pt 9pt;margin-top:7pt!important}}
@page{margin:16mm 18mm}
`;

/** A test compares it with the style. */
export const TRANSCRIPT_STYLE_HASH = 'sha256-xezPVtkJdE4hj5KA1eiFWOJGEK9HU/SopIWsY3/g8ic=';

/** The page runs, loads and sends nothing, whatever a visitor's text or an invite's label contains. */
const POLICY = `default-src 'none'; style-src '${TRANSCRIPT_STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** A readable page: self-contained, printable, text only. */
export function htmlTranscript(head: TranscriptHead, { language, texts }: TranscriptWords): TranscriptWriter {
  const { visitorName, profileName, timeZone } = head;
  const fill = (text: string, values: TextValues) => fillText(text, values, language);
  const times = dateFormats(timeZone, language);
  let day: string | undefined;

  function message({ sender, text, createdAt, image }: TranscriptMessage): string {
    const today = times.day(createdAt);
    const heading = today === day ? '' : `<h2>${escapeHtml(today)}</h2>\n`;
    day = today;
    return `${heading}<article class="${sender === 'owner' ? 'owner' : 'visitor'}">
<p><b dir="auto">${escapeHtml(sender === 'owner' ? profileName : visitorName)}</b> <time datetime="${new Date(createdAt).toISOString()}">${escapeHtml(times.time(createdAt))}</time></p>
<p class="text" dir="auto">${escapeHtml(image ? imageText(image) : text)}</p>
</article>
`;
  }

  function imageText({ fileName, size }: { fileName: string; size: number }): string {
    return fill(texts.image, { name: fileName, size: fileSize(size, language) });
  }

  function moment(at: number): string {
    return fill(texts.moment, { day: times.day(at), time: times.time(at) });
  }

  return {
    begin() {
      const title = escapeHtml(fill(texts.title, { visitor: visitorName, profile: profileName }));
      const lines = [
        fill(texts.started, { when: moment(head.startedAt) }),
        fill(texts.exported, { when: moment(head.exportedAt) }),
        fill(texts.zone, { zone: timeZone }),
      ];
      return `<!doctype html>
<html lang="${language}"${directionOf(language) === 'rtl' ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${TRANSCRIPT_STYLE}</style>
</head>
<body>
<h1 dir="auto">${title}</h1>
<p class="dim">${lines.map(escapeHtml).join('<br>')}</p>
<main>
`;
    },
    page: (messages) => messages.map(message).join(''),
    end: () =>
      `${day === undefined ? `<p class="dim">${escapeHtml(texts.noMessages)}</p>\n` : ''}</main>\n</body>\n</html>\n`,
  };
}

const KILOBYTE = 1_024;
const MEGABYTE = KILOBYTE * KILOBYTE;

function fileSize(bytes: number, language: Language): string {
  const small = bytes < MEGABYTE;
  const digits = small ? 0 : 1;
  return new Intl.NumberFormat(localeOf(language), {
    style: 'unit',
    unit: small ? 'kilobyte' : 'megabyte',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  }).format(small ? Math.max(1, Math.round(bytes / KILOBYTE)) : bytes / MEGABYTE);
}

/** Created once, because a formatter costs more than everything that it formats on a page. */
function dateFormats(timeZone: string, language: Language) {
  const day = new Intl.DateTimeFormat(localeOf(language), {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  const time = new Intl.DateTimeFormat(localeOf(language), {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
  });
  return {
    day: (at: number) => day.format(at),
    time: (at: number) => time.format(at),
  };
}
