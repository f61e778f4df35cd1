import { initials } from '@settee/protocol/model/initials';
import { escapeHtml } from '@settee/protocol/render/escapeHtml';
import { directionOf, type Language } from '@settee/protocol/texts/languages';

export type Part =
  | string
  | { strong: string }
  | { link: string; button: string }
  /** Less important than the rest. Below the card. */
  | { note: string }
  | { link: string; before: string; small: string };

/** The sender, above the subject. */
export type Head = { name: string; host?: string };

const UI = "font-family:Figtree,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
const DISPLAY = "font-family:Newsreader,Georgia,'Times New Roman',serif";
const TABLE = 'table role="presentation" cellpadding="0" cellspacing="0" border="0"';

/** The colours of web/src/design/tokens.css. Where a mail program ignores this, the light ones stay. */
const STYLE = `@media (prefers-color-scheme:dark){.bg{background:#161014!important}.card{background:#1f171c!important;border-color:#35282f!important}.ink{color:#f6edf1!important}.ink2{color:#c9b9c1!important}.cta{background:#9e487c!important}}@media (max-width:599px){.pad{padding:24px 20px!important}.foot{padding:16px 21px 0!important}.full{width:100%!important}.out{padding:16px 8px!important}}`;

const ink = (size: number, line: number, more = '') =>
  `class="ink" style="${more}${UI};font-size:${size}px;line-height:${line}px;color:#22171e"`;
const quiet = (size: number, line: number, more = '') =>
  `class="ink2" style="${more}${UI};font-size:${size}px;line-height:${line}px;color:#57474f"`;

/** Tables and inline styles, because mail programs support little else. Loads nothing, so reading it tells nobody. */
export function mailHtml(language: Language, subject: string, head: Head, parts: readonly Part[]): string {
  const start = directionOf(language) === 'rtl' ? 'right' : 'left';
  const isBelow = (part: Part) => typeof part === 'object' && ('before' in part || 'note' in part);
  const below = parts.filter(isBelow);
  const inside = parts.filter((part) => !isBelow(part));
  const button = inside.findIndex((part) => typeof part === 'object' && 'button' in part);
  const cell = (classes: string, style: string, content: string) =>
    `<td class="${classes}" align="${start}" style="${style}">${content}</td>`;
  const wide = (more: string, content: string) =>
    `<${TABLE} class="full${more === '' ? '' : ' card'}" width="560" style="width:560px;max-width:100%${more}"><tr>${content}</tr></table>`;
  const card = wide(
    ';background:#ffffff;border:1px solid #e7ddd4;border-radius:16px',
    cell(
      'pad',
      'padding:32px',
      headHtml(head, start) +
        heading(subject) +
        inside.map((part, at) => insideHtml(part, button >= 0 && at > button)).join(''),
    ),
  );
  const foot = wide('', cell('foot', 'padding:16px 33px 0', below.map(belowHtml).join('')));
  return `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${STYLE}</style></head><body class="bg" style="margin:0;padding:0;background:#fbf7f2"><${TABLE} class="bg" width="100%" style="background:#fbf7f2"><tr><td class="out" align="center" style="padding:32px 16px">${card}${below.length > 0 ? foot : ''}</td></tr></table></body></html>`;
}

function headHtml({ name, host }: Head, start: string): string {
  const mark = `<td class="cta" width="48" height="48" align="center" bgcolor="#7a2a5a" style="width:48px;height:48px;border-radius:999px;background:#7a2a5a;color:#ffffff;${UI};font-size:16px;font-weight:600" aria-hidden="true">${escapeHtml(initials(name))}</td>`;
  const where = host === undefined ? '' : `<div ${quiet(13, 18)}><bdi>${escapeHtml(host)}</bdi></div>`;
  return `<${TABLE}><tr>${mark}<td width="12" style="width:12px"></td><td align="${start}"><div ${ink(16, 22, 'font-weight:600;')}><bdi>${escapeHtml(name)}</bdi></div>${where}</td></tr></table>`;
}

function heading(subject: string): string {
  return `<h1 class="ink" style="margin:24px 0 0;${DISPLAY};font-weight:500;font-size:28px;line-height:34px;letter-spacing:-.3px;color:#22171e">${escapeHtml(subject)}</h1>`;
}

/** What stands after the button is less important. */
function insideHtml(part: Part, isAfterButton: boolean): string {
  if (typeof part === 'string') {
    const look = isAfterButton ? quiet(14, 20, 'margin:14px 0 0;') : quiet(16, 24, 'margin:10px 0 0;');
    return `<p ${look}>${escapeHtml(part)}</p>`;
  }
  if ('strong' in part)
    return `<p ${ink(28, 34, 'margin:20px 0 0;letter-spacing:4px;font-weight:700;')}>${escapeHtml(part.strong)}</p>`;
  if (!('button' in part)) return '';
  return `<${TABLE} class="full" style="margin:24px 0 0"><tr><td class="cta" align="center" bgcolor="#7a2a5a" style="border-radius:16px;background:#7a2a5a"><a href="${escapeHtml(part.link)}" class="cta" style="display:block;padding:14px 28px;border-radius:16px;background:#7a2a5a;${UI};font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(part.button)}</a></td></tr></table>`;
}

function belowHtml(part: Part): string {
  if (typeof part === 'string') return '';
  if ('note' in part) return `<p ${quiet(13, 20, 'margin:0;')}>${escapeHtml(part.note)}</p>`;
  if (!('before' in part)) return '';
  return `<p ${quiet(13, 20, 'margin:0;')}>${escapeHtml(part.before)}<br><a href="${escapeHtml(part.link)}" ${quiet(13, 20, 'display:inline-block;padding:12px 0;text-decoration:underline;')}>${escapeHtml(part.small)}</a></p>`;
}
