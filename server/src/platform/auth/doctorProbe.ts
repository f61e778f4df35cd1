import { createHmac, type KeyObject, randomUUID } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { isSigned, keyFor, keysFor } from '../config/keys.ts';

type Secrets = Pick<Config, 'secret' | 'secretPrevious'>;
const TAG_LENGTH = 20;
const PROBE = new RegExp(`^(.+)\\.([0-9a-f]{${TAG_LENGTH}})@doctor\\.invalid$`);

/**
 * An address with which `doctor` tries to sign in. No account has it. Only who knows SECRET can make one, so the gateway
 * can leave this attempt out of the security log.
 */
export function doctorAddress(config: Secrets): string {
  const id = randomUUID();
  return `${id}.${tagOf(id, keyFor(config, 'doctor'))}@doctor.invalid`;
}

export function isDoctorAddress(config: Secrets, email: unknown): boolean {
  const [, id = '', tag = ''] = PROBE.exec(String(email)) ?? [];
  return isSigned(keysFor(config, 'doctor'), tag, (key) => tagOf(id, key));
}

function tagOf(id: string, key: KeyObject): string {
  return createHmac('sha256', key).update(id).digest('hex').slice(0, TAG_LENGTH);
}
