import { isMailAddress } from '@settee/protocol/model/mail';
import { testMail } from '../mail/compose.ts';
import type { Config } from '../platform/config/config.ts';
import type { MailSender } from '../platform/ports/ports.ts';
import { type About, reason } from './finding.ts';

/** Connects and signs in. Sends a message only if there is an address for it. */
export async function checkMail(
  about: About,
  { mail, publicUrl }: Config,
  sender: MailSender | undefined,
  to: string | undefined,
): Promise<void> {
  if (mail === undefined || sender === undefined) {
    if (to === undefined) return about.ok('off: there is no SMTP_URL');
    return about.fail('there is no SMTP_URL, so no message was sent', 'Set SMTP_URL and MAIL_FROM.');
  }
  const where = `${mail.host}:${mail.port}`;
  try {
    await sender.verify();
  } catch (error) {
    return about.fail(...explain(error, where));
  }
  const tls = { implicit: 'TLS', starttls: 'STARTTLS', off: 'no TLS' }[mail.tls];
  about.ok(`${where} answers with ${tls}${mail.auth === undefined ? '' : ' and takes the password'}`);
  if (to === undefined) return;
  if (!isMailAddress(to)) return about.fail('--mail is no e-mail address', 'Write --mail you@example.org');
  const fromName = new URL(publicUrl).hostname;
  const result = await sender.send({ to, fromName, ...testMail() });
  if (result.outcome === 'sent') return about.ok(`${where} took a test message for ${to}`);
  about.fail(
    `${where} did not take a test message for ${to} (${result.reason})`,
    result.reason.startsWith('5')
      ? 'Check the address, and that this server takes mails from MAIL_FROM.'
      : 'Try again in some minutes. Settee does so by itself.',
  );
}

function explain(error: unknown, where: string): [string, string] {
  const { code, originalCode = code } = error as { code?: unknown; originalCode?: unknown };
  if (code === 'EAUTH')
    return [`${where} refuses the user or the password`, 'Set the correct ones in SMTP_URL.'];
  if (code === 'ETLS' || /CERT|SELF_SIGNED/.test(String(originalCode)))
    return [
      `${where} does not offer STARTTLS, or its certificate is not valid for this name (${String(originalCode)})`,
      'Use the name in the certificate. For your own certificate authority, set NODE_EXTRA_CA_CERTS. For a server without TLS, set SMTP_TLS=off, which REQUIRE_TLS refuses.',
    ];
  return [
    `${where} does not answer (${reason({ code: originalCode })})`,
    'Check SMTP_URL, and that this machine may reach it.',
  ];
}
