import type { Clock } from '../ports.ts';
import { checkBackups } from './backups.ts';
import { checkDatabase } from './database.ts';
import { checkNats, checkS3, type Probes } from './engines.ts';
import { checkEnvironment } from './environment.ts';
import { About, type Finding, reason } from './finding.ts';
import { checkMachine } from './machine.ts';
import { checkProxy } from './proxy.ts';
import { checkPublicUrl } from './publicUrl.ts';
import { checkPush } from './push.ts';

type Examination = {
  env?: Readonly<Record<string, string | undefined>>;
  /** Skips checks that need a running gateway or the internet. */
  offline: boolean;
  probes: Probes;
  clock: Clock;
};

/**
 * Runs all checks, most important first. Tests leave no trace: the object, file, message and sign-in attempt are
 * removed. Creates MEDIA_ROOT if it is missing.
 */
export async function examine({ env, offline, probes, clock }: Examination): Promise<Finding[]> {
  const { config, found } = checkEnvironment(env);
  if (config === undefined) return found;
  const safely = async (check: string, run: () => Promise<Finding[]>): Promise<void> => {
    try {
      found.push(...(await run()));
    } catch (error) {
      const about = new About(check);
      about.fail(`could not be checked (${reason(error)})`, 'Fix the problems above and run doctor again.');
      found.push(...about.found);
    }
  };
  await safely('machine', () => checkMachine(config));
  const database = await checkDatabase(config);
  found.push(...database.found);
  await safely('NATS', () => checkNats(config, probes.nats));
  await safely('S3', () => checkS3(config, probes.s3));
  const publicName = database.health?.publicName;
  const reached = await checkPublicUrl(config, { running: !offline, publicName });
  found.push(...reached.found);
  // The check reads rate limits from the database.
  const running = reached.answers && publicName !== undefined;
  await safely('TRUST_PROXY', () => checkProxy(config, { running }));
  if (!offline) await safely('notifications', () => checkPush(config));
  await safely('backup', () => checkBackups(config, clock.now()));
  return found;
}
