import * as v from 'valibot';
import { Language } from '../model/language.ts';
import { MailCode, MailFigure, ReplyMail, VisitorAddress } from '../model/mail.ts';
import { call } from './call.ts';

/** E-mail. Separate, because only the form for it needs them. */
export const mailCalls = {
  readReplyMail: call('GET', '/conversations/:id/mail', 'visitor', { answer: { mail: ReplyMail } }),
  /** Sends a code to the address. A confirmed address stays until the new one is confirmed. */
  saveReplyMail: call('PUT', '/conversations/:id/mail', 'visitor', {
    body: { address: VisitorAddress, language: v.optional(Language, 'en') },
    answer: { mail: ReplyMail },
  }),
  confirmReplyMail: call('POST', '/conversations/:id/mail/confirm', 'visitor', {
    body: { code: MailCode },
    answer: { mail: ReplyMail },
  }),
  dropReplyMail: call('DELETE', '/conversations/:id/mail', 'visitor'),
} as const;

/** For staff. */
export const staffMailCalls = {
  /** Mails to the caller when a visitor has been waiting for ten minutes. */
  saveWaitingMail: call('PUT', '/account/waiting-mail', 'account', { body: { on: v.boolean() } }),
  /** Null if the installation sends no mail. */
  readMailFigures: call('GET', '/manage/mail', 'admin', {
    answer: { figures: v.nullable(v.array(MailFigure)) },
  }),
} as const;
