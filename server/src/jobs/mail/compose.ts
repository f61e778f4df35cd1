import { PASSWORD_LINK_HOURS } from '@settee/protocol/calls/peopleCalls';
import { MAIL_CODE_MINUTES, WAITING_MAIL_MINUTES } from '@settee/protocol/model/mail';
import { escapeHtml } from '@settee/protocol/render/escapeHtml';
import { fillText } from '@settee/protocol/texts/fillText';
import { directionOf, type Language, type StaffLanguage } from '@settee/protocol/texts/languages';
import { staffCatalogues, visitorCatalogues } from '@settee/protocol/translations/translations';

export type MailContent = { subject: string; text: string; html: string };

/** Says only that there is a reply: no message, and nothing about who answers. */
export function replyMail(
  language: Language,
  { name, chatUrl, unsubscribeUrl }: { name: string; chatUrl: string; unsubscribeUrl: string },
): MailContent {
  const { reply } = visitorCatalogues[language].mailTexts;
  return compose(language, fillText(reply.subject, { name }), [
    fillText(reply.text, { name }),
    { link: chatUrl, button: reply.button },
    reply.elsewhere,
    reply.noAnswer,
    { link: unsubscribeUrl, before: reply.off, small: reply.offButton },
  ]);
}

export function codeMail(language: Language, name: string, code: string): MailContent {
  const texts = visitorCatalogues[language].mailTexts.code;
  return compose(language, fillText(texts.subject, { code }), [
    fillText(texts.text, { name }),
    { strong: code },
    fillText(texts.note, { minutes: MAIL_CODE_MINUTES }, language),
  ]);
}

export function passwordLinkMail(language: StaffLanguage, name: string, link: string): MailContent {
  const { passwordLink } = staffCatalogues[language].accountMailTexts;
  return compose(language, fillText(passwordLink.subject, { name }), [
    fillText(passwordLink.text, { hours: PASSWORD_LINK_HOURS }, language),
    { link, button: passwordLink.button },
    passwordLink.note,
  ]);
}

export function waitingMail(language: StaffLanguage, link: string): MailContent {
  const { waiting } = staffCatalogues[language].accountMailTexts;
  return compose(language, waiting.subject, [
    fillText(waiting.text, { minutes: WAITING_MAIL_MINUTES }, language),
    { link, button: waiting.button },
    waiting.note,
  ]);
}

/** For the operator, in the language of the command line. */
export function testMail(): MailContent {
  return compose('en', 'Settee can send mail', [
    'This is the test message of settee doctor. You do not need to do anything.',
  ]);
}

type Part =
  | string
  | { strong: string }
  | { link: string; button: string }
  | { link: string; before: string; small: string };

/** The same parts as plain text and as HTML. Nothing is loaded from anywhere, so reading it tells nobody. */
function compose(language: Language, subject: string, parts: Part[]): MailContent {
  return {
    subject,
    text: `${parts.map(partAsText).join('\n\n')}\n`,
    html: `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#2b2226;background:#fff"><div style="max-width:32em">${parts.map(partAsHtml).join('')}</div></body></html>`,
  };
}

function partAsText(part: Part): string {
  if (typeof part === 'string') return part;
  if ('strong' in part) return part.strong;
  return 'before' in part ? `${part.before}\n${part.link}` : `${part.button}: ${part.link}`;
}

function partAsHtml(part: Part): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  if ('strong' in part)
    return `<p style="font-size:28px;letter-spacing:4px"><strong>${escapeHtml(part.strong)}</strong></p>`;
  const link = (style: string, label: string) =>
    `<a href="${escapeHtml(part.link)}" style="${style}">${escapeHtml(label)}</a>`;
  if ('before' in part)
    return `<p style="font-size:13px;color:#6b5f64">${escapeHtml(part.before)} ${link('color:#6b5f64', part.small)}</p>`;
  return `<p>${link('display:inline-block;padding:12px 20px;border-radius:12px;background:#7a2e4a;color:#fff;text-decoration:none', part.button)}</p>`;
}
