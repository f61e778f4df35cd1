import * as v from 'valibot';
import { Language } from '../model/language.ts';
import { MailCode, ReplyMail, VisitorAddress } from '../model/mail.ts';
import { call } from './call.ts';

/** E-mail. Separate, because only the form for it needs them. */
export const mailCalls = {
  readReplyMail: call({
    route: 'GET /conversations/:id/mail',
    summary: 'Read the address for mails about replies. Most of it is hidden.',
    auth: 'visitor',
    answer: { mail: ReplyMail },
  }),
  /** Sends a code to the address. A confirmed address stays until the new one is confirmed. */
  saveReplyMail: call({
    route: 'PUT /conversations/:id/mail',
    summary: 'Leave an address for mails about replies. A code is sent there.',
    auth: 'visitor',
    rate: [
      'chatWrites',
      'mailsPerDevice',
      'mailsPerChat',
      'mailsPerChatDay',
      'mailsPerAddress',
      'mailsPerAddressDay',
      'mailsPerDay',
    ],
    refusals: ['conversation_closed'],
    body: { address: VisitorAddress, language: v.optional(Language, 'en') },
    answer: { mail: ReplyMail },
  }),
  confirmReplyMail: call({
    route: 'POST /conversations/:id/mail/confirm',
    summary: 'Confirm the address with the code.',
    auth: 'visitor',
    rate: ['chatWrites', 'mailCodes'],
    refusals: ['code_invalid', 'code_void'],
    body: { code: MailCode },
    answer: { mail: ReplyMail },
  }),
  dropReplyMail: call({
    route: 'DELETE /conversations/:id/mail',
    summary: 'Delete the address. The answer is the same whether or not there was one.',
    auth: 'visitor',
  }),
} as const;
