import { isMailAddress } from '@settee/protocol/model/mail';
import { createTransport } from 'nodemailer';
import type { Config, MailConfig } from '../platform/config/config.ts';
import { withTimeout } from '../platform/limits/concurrency.ts';
import type { MailResult, MailSender } from '../platform/ports/ports.ts';

const CONNECT_MS = 10_000;
/**
 * The longest silence of the mail server. Some check the content for minutes before they take a mail (RFC 5321, 4.5.3.2).
 * If we stop waiting, a mail that was taken is sent again.
 */
const SILENCE_MS = 5 * 60_000;
/** For one mail. */
const TOTAL_MS = 8 * 60_000;
/** Somebody waits for the result of a check, which has no content. */
const CHECK_SILENCE_MS = 15_000;

/** Undefined without SMTP_URL. `ca`: a certificate that a test trusts. */
export function openMail(
  config: Pick<Config, 'mail' | 'publicUrl'>,
  { ca, silenceMs = SILENCE_MS }: { ca?: string | undefined; silenceMs?: number } = {},
): MailSender | undefined {
  const { mail } = config;
  if (mail === undefined) return undefined;
  const name = new URL(config.publicUrl).hostname;
  const domain = mail.from.slice(mail.from.lastIndexOf('@') + 1);
  return {
    async send({ id, to, fromName, subject, text, html, unsubscribeUrl }) {
      if (!isMailAddress(to)) return { outcome: 'refused', reason: 'address' };
      let handedOver = false;
      const onHandedOver = () => {
        handedOver = true;
      };
      const smtp = transport(mail, { name, ca, silenceMs, onHandedOver });
      try {
        await withTimeout(
          TOTAL_MS,
          smtp.sendMail({
            from: { name: fromName, address: mail.from },
            to: { name: '', address: to },
            ...(id !== undefined && { messageId: `<mail-${id}@${domain}>` }),
            subject,
            text,
            html,
            headers: {
              'Auto-Submitted': 'auto-generated',
              'X-Auto-Response-Suppress': 'All',
              ...(unsubscribeUrl !== undefined && {
                'List-Unsubscribe': `<${unsubscribeUrl}>`,
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              }),
            },
          }),
        );
        return { outcome: 'sent' };
      } catch (error) {
        return failureOf(error, handedOver);
      } finally {
        smtp.close();
      }
    },
    async verify() {
      const smtp = transport(mail, { name, ca, silenceMs: CHECK_SILENCE_MS });
      try {
        await withTimeout(TOTAL_MS, smtp.verify());
      } finally {
        smtp.close();
      }
    },
  };
}

type TransportOptions = {
  name: string;
  ca: string | undefined;
  silenceMs: number;
  onHandedOver?: () => void;
};

/** One connection per mail: mails are rare. */
function transport(
  { host, port, tls, auth }: MailConfig,
  { name, ca, silenceMs, onHandedOver }: TransportOptions,
) {
  return createTransport({
    host,
    port,
    name,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'off',
    // Otherwise a server that does not ask for the password would not get it.
    ...(auth !== undefined && { auth, forceAuth: true }),
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    // nodemailer tells only its log when the whole content is on its way.
    logger: { info: (entry: { tnx?: string }) => entry.tnx === 'message' && onHandedOver?.() },
  });
}

type SmtpError = Partial<Record<'code' | 'originalCode' | 'command' | 'response' | 'responseCode', unknown>>;

function failureOf(error: unknown, handedOver: boolean): MailResult {
  const reason = mailReason(error);
  if (isAboutTheAddress(error as SmtpError)) return { outcome: 'refused', reason };
  const maybeSent = handedOver && (error as SmtpError).responseCode === undefined;
  return { outcome: 'deferred', reason, ...(maybeSent && { maybeSent }) };
}

/**
 * Whether the address does not exist or is closed (RFC 3463: 5.1.x and 5.2.1). In the answer to RCPT TO, mail servers also
 * refuse the sender (5.1.7, 5.1.8), the relaying or the content (5.7.1) and full mailboxes (5.2.2). These can change.
 */
function isAboutTheAddress({ command, response, responseCode }: SmtpError): boolean {
  if (command !== 'RCPT TO') return false;
  const enhanced = enhancedCode(response);
  if (enhanced === undefined) return [550, 551, 553].includes(Number(responseCode));
  return enhanced === '5.2.1' || (enhanced.startsWith('5.1.') && !['5.1.7', '5.1.8'].includes(enhanced));
}

function enhancedCode(response: unknown): string | undefined {
  return /^[245]\d\d[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(String(response))?.[1];
}

/** The code of the answer and its enhanced code (RFC 3463). The rest of the answer often repeats the address. */
export function mailReason(error: unknown): string {
  const { code, originalCode = code, response, responseCode } = error as SmtpError;
  if (typeof responseCode === 'number')
    return [String(responseCode), enhancedCode(response)].filter(Boolean).join(' ');
  return typeof originalCode === 'string' && /^\w{1,40}$/.test(originalCode) ? originalCode : 'unknown';
}
