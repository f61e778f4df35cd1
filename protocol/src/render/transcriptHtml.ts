import { fillText } from '../texts/fillText.ts';
import { transcriptTexts } from '../texts/transcriptTexts.ts';
import { escapeHtml } from './escapeHtml.ts';
import type { TranscriptHead, TranscriptMessage, TranscriptWriter } from './transcriptTypes.ts';

/** The policy below contains its SHA-256, so that nothing else can style the page. */
export const TRANSCRIPT_STYLE = `
:root{color-scheme:light dark;--paper:#fbf7f2;--ink:#22171e;--dim:#6f5f67;--line:#e7ddd4;--in:#fff;--out:#f6e7ef}
@media(prefers-color-scheme:dark){:root{--paper:#17111a;--ink:#f3ecef;--dim:#b6a5ae;--line:#3a2b34;--in:#221920;--out:#3d2434}}
body{max-width:720px;margin:0 auto;padding:32px 20px;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
h1{font:500 1.625rem/1.3 Georgia,serif;margin:0 0 8px;overflow-wrap:anywhere}
h2{margin:28px 0 4px;font-size:.875rem;text-align:center;color:var(--dim);break-after:avoid}
p{margin:0}time{margin-inline-start:4px}.dim,time{font-size:.8125rem;color:var(--dim)}
article{width:fit-content;max-width:85%;margin:12px auto 0 0;padding:10px 14px;border:1px solid var(--line);border-radius:14px;background:var(--in);break-inside:avoid}
article.owner{margin:12px 0 0 auto;background:var(--out)}
article b{overflow-wrap:anywhere}.text{white-space:pre-wrap;overflow-wrap:anywhere}
@media print{:root{--paper:#fff;--ink:#000;--dim:#444;--line:#bbb;--in:#fff;--out:#f2f2f2}body{padding:0;max-width:none;font-size:11pt}h1{font-size:20pt}article{padding:6pt 9pt;margin-top:7pt!important}}
@page{margin:16mm 18mm}
`;

/** A test compares it with the style. */
export const TRANSCRIPT_STYLE_HASH = 'sha256-DZLvAVIliktAqFihOBs5jIvXjYcB0/wj7VoiCsB10co=';

/** The page runs, loads and sends nothing, whatever a visitor's text or an invite's label contains. */
const POLICY = `default-src 'none'; style-src '${TRANSCRIPT_STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** A readable page: self-contained, printable, text only. */
export function htmlTranscript(head: TranscriptHead): TranscriptWriter {
  const { visitorName, profileName, timeZone } = head;
  const times = dateFormats(timeZone);
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

  return {
    begin() {
      const title = escapeHtml(
        fillText(transcriptTexts.title, { visitor: visitorName, profile: profileName }),
      );
      const lines = [
        fillText(transcriptTexts.started, { when: times.moment(head.startedAt) }),
        fillText(transcriptTexts.exported, { when: times.moment(head.exportedAt) }),
        fillText(transcriptTexts.zone, { zone: timeZone }),
      ];
      return `<!doctype html>
<html lang="en">
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
      `${day === undefined ? `<p class="dim">${transcriptTexts.noMessages}</p>\n` : ''}</main>\n</body>\n</html>\n`,
  };
}

function imageText({ fileName, size }: { fileName: string; size: number }): string {
  return fillText(transcriptTexts.image, { name: fileName, size: fileSize(size) });
}

const KILOBYTE = 1_024;
const MEGABYTE = KILOBYTE * KILOBYTE;

function fileSize(bytes: number): string {
  if (bytes < MEGABYTE) return `${Math.max(1, Math.round(bytes / KILOBYTE))} kB`;
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

/** Created once, because a formatter costs more than everything that it formats on a page. */
function dateFormats(timeZone: string) {
  const day = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return {
    day: (at: number) => day.format(at),
    time: (at: number) => time.format(at),
    moment: (at: number) => `${day.format(at)}, ${time.format(at)}`,
  };
}
