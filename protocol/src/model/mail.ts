import * as v from 'valibot';
import { visitorMailTexts } from '../texts/visitorMailTexts.ts';
import { Time } from './ids.ts';
import { Line } from './line.ts';

/** A message that is seen within this time causes no mail. */
export const MAIL_AFTER_SECONDS = 60;
/** Two mails about replies in one conversation, or about people waiting at one desk, are at least this far apart. */
export const MAIL_APART_SECONDS = 600;
/** How long a visitor has been waiting when staff are told. */
export const WAITING_MAIL_MINUTES = 10;

export const MAIL_CODE_LENGTH = 6;
export const MAIL_CODE_MINUTES = 30;
/** Wrong codes until a new one must be sent. */
export const MAIL_CODE_TRIES = 5;
const MAIL_ADDRESS_MAX = 254;

/**
 * The characters that every mail server takes without quotes. None of them can end a header or begin another address.
 */
const ADDRESS =
  /^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
/** Not a single name such as localhost, and no IP address. */
const PUBLIC_DOMAIN = /\.(?![0-9]+$)[^.@]+$/;

export function isMailAddress(text: string): boolean {
  return text.length <= MAIL_ADDRESS_MAX && ADDRESS.test(text);
}

/** Staff may have an address in their own network, visitors not. */
export function isVisitorAddress(text: string): boolean {
  return isMailAddress(text) && PUBLIC_DOMAIN.test(text);
}

export const VisitorAddress = v.pipe(
  Line,
  v.maxLength(MAIL_ADDRESS_MAX, visitorMailTexts.addressInvalid),
  v.regex(ADDRESS, visitorMailTexts.addressInvalid),
  v.regex(PUBLIC_DOMAIN, visitorMailTexts.addressInvalid),
);

export const MailCode = v.pipe(Line, v.regex(/^[0-9]{6}$/, visitorMailTexts.codeInvalid));

/** The visitor's own address for mails about replies. Most of it is hidden, because another device could belong to another person. */
export const ReplyMail = v.object({
  /** Mails about replies go there; null if there is none. */
  address: v.nullable(v.string()),
  /** A code was sent there. */
  pending: v.nullable(v.string()),
  /** The mail server of one of them refused a mail. */
  refused: v.boolean(),
});
export type ReplyMail = v.InferOutput<typeof ReplyMail>;

export const MAIL_KINDS = ['passwordLink', 'code', 'reply', 'waiting'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** `deferred`: the mail server asked to try again later, or could not be reached. */
export const MAIL_OUTCOMES = ['sent', 'deferred', 'refused', 'given_up'] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];

/** Mails of the last days, without addresses. */
export const MailFigure = v.object({
  kind: v.picklist(MAIL_KINDS),
  outcome: v.picklist(MAIL_OUTCOMES),
  count: v.number(),
  lastAt: Time,
  /** The last answer of the mail server, such as '550 5.1.1', or the error of the connection. */
  lastReason: v.nullable(v.string()),
});
export type MailFigure = v.InferOutput<typeof MailFigure>;
export const MAIL_FIGURES_DAYS = 30;

/** Hides most of an address: a…@example.com. */
export function maskAddress(address: string): string {
  return `${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`;
}
