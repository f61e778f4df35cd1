import type { Config } from '../platform/config/config.ts';
import type { Clock, MailSender } from '../platform/ports/ports.ts';
import { checkBackups } from './backups.ts';
import { checkNats, checkS3, type Probes } from './engines.ts';
import { checkEnvironment } from './environment.ts';
import { About, type Finding, reason } from './finding.ts';
import { checkSingleSignOn } from './identityProvider.ts';
import { checkMachine } from './machine.ts';
import { checkMail } from './mail.ts';
import { checkDatabase } from './postgres.ts';
import { checkProxy } from './proxy.ts';
import { checkPublicUrl } from './publicUrl.ts';
import { checkPush } from './push.ts';

type Examination = {
  env?: Readonly<Record<string, string | undefined>>;
  /** Skips checks that need a running gateway or the internet. */
  offline: boolean;
  /** Where to send a test message. */
  mailTo?: string | undefined;
  probes: Probes & { mail(config: Config): MailSender | undefined };
  clock: Clock;
};

/**
 * Runs all checks, most important first. Tests leave no trace: the object, file, message and sign-in attempt are
 * removed. Creates MEDIA_ROOT and the folder of SECURITY_LOG if they are missing.
 */
export async function examine({ env, offline, mailTo, probes, clock }: Examination): Promise<Finding[]> {
  const all = new About('environment');
  const config = checkEnvironment(all, env);
  if (config === undefined) return all.found;
  const safely = async (subject: string, run: (about: About) => Promise<void>): Promise<void> => {
    const about = new About(subject);
    try {
      await run(about);
      all.found.push(...about.found);
    } catch (error) {
      all
        .on(subject)
        .fail(`could not be checked (${reason(error)})`, 'Fix the problems above and run doctor again.');
    }
  };
  await safely('machine', (about) => checkMachine(about, config));
  const health = await checkDatabase(all.on('database'), config);
  const publicName = health?.publicName;
  await safely('NATS', (about) => checkNats(about, config, probes.nats));
  await safely('S3', (about) => checkS3(about, config, probes.s3));
  const answers = await checkPublicUrl(all.on('PUBLIC_URL'), config, {
    running: !offline,
    publicName,
    hasDatabase: health !== undefined,
  });
  // The check reads rate limits from the database.
  const running = answers && publicName !== undefined;
  await safely('TRUST_PROXY', (about) => checkProxy(about, config, { running }));
  if (!offline) {
    await safely('single sign-on', (about) => checkSingleSignOn(about, config));
    await safely('notifications', (about) => checkPush(about, config));
    await safely('mail', (about) => checkMail(about, config, probes.mail(config), mailTo));
  }
  await safely('backup', (about) =>
    checkBackups(about, config, { now: clock.now(), noted: health?.installation?.backupAt }),
  );
  return all.found;
}
