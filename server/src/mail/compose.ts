import { PASSWORD_LINK_HOURS } from '@settee/protocol/calls/peopleCalls';
import { MAIL_CODE_MINUTES, WAITING_MAIL_MINUTES } from '@settee/protocol/model/mail';
import { fillText } from '@settee/protocol/texts/fillText';
import type { Language, StaffLanguage } from '@settee/protocol/texts/languages';
import { staffCatalogues, visitorCatalogues } from '@settee/protocol/translations/translations';
import { type Head, mailHtml, type Part } from './mailHtml.ts';

export type MailContent = { subject: string; text: string; html: string };

/** Says only that there is a reply: no message, and nothing about who answers. */
export function replyMail(
  language: Language,
  { name, chatUrl, unsubscribeUrl }: { name: string; chatUrl: string; unsubscribeUrl: string },
): MailContent {
  const { reply } = visitorCatalogues[language].mailTexts;
  return compose(language, headOf(name, chatUrl), fillText(reply.subject, { name }), [
    fillText(reply.text, { name }),
    { link: chatUrl, button: reply.button },
    reply.elsewhere,
    reply.noAnswer,
    { link: unsubscribeUrl, before: reply.off, small: reply.offButton },
  ]);
}

export function codeMail(language: Language, name: string, code: string): MailContent {
  const texts = visitorCatalogues[language].mailTexts.code;
  return compose(language, { name }, fillText(texts.subject, { code }), [
    fillText(texts.text, { name }),
    { strong: code },
    fillText(texts.note, { minutes: MAIL_CODE_MINUTES }, language),
  ]);
}

export function passwordLinkMail(language: StaffLanguage, name: string, link: string): MailContent {
  const { passwordLink } = staffCatalogues[language].accountMailTexts;
  return compose(language, headOf(name, link), fillText(passwordLink.subject, { name }), [
    fillText(passwordLink.text, { hours: PASSWORD_LINK_HOURS }, language),
    { link, button: passwordLink.button },
    { note: passwordLink.note },
  ]);
}

export function waitingMail(language: StaffLanguage, name: string, link: string): MailContent {
  const { waiting } = staffCatalogues[language].accountMailTexts;
  return compose(language, headOf(name, link), waiting.subject, [
    fillText(waiting.text, { minutes: WAITING_MAIL_MINUTES }, language),
    { link, button: waiting.button },
    { note: waiting.note },
  ]);
}

function headOf(name: string, link: string): Head {
  return { name, host: new URL(link).hostname };
}

/** For the operator, in the language of the command line. */
export function testMail(): MailContent {
  return compose('en', { name: 'Settee' }, 'Settee can send mail', [
    'This is the test message of settee doctor. You do not need to do anything.',
  ]);
}

/** The same parts as plain text and as HTML. */
function compose(language: Language, head: Head, subject: string, parts: Part[]): MailContent {
  return {
    subject,
    text: `${parts.map(partAsText).join('\n\n')}\n`,
    html: mailHtml(language, subject, head, parts),
  };
}

function partAsText(part: Part): string {
  if (typeof part === 'string') return part;
  if ('strong' in part) return part.strong;
  if ('note' in part) return part.note;
  return 'before' in part ? `${part.before}\n${part.link}` : `${part.button}: ${part.link}`;
}
