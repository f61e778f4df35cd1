import {
  BadConfig,
  COMMAND,
  type Config,
  misspelledSettings,
  readConfig,
} from '../platform/config/config.ts';
import type { About } from './finding.ts';

/** Minimum entropy. Estimated by character frequency, which overrates words but never underrates keys. */
const SECRET_BITS = 100;

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined when the configuration is not valid. `env` is the process's environment by default. */
export function checkEnvironment(about: About, env?: Environment): Config | undefined {
  try {
    const config = readConfig(env);
    about.ok('all set keys are valid');
    checkNames(about, env);
    checkSecret(about.on('SECRET'), config);
    return config;
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    for (const problem of error.problems)
      about.fail(problem, `Correct it and run doctor again; ${COMMAND} env explains every key.`);
    return undefined;
  }
}

/** They have no effect. */
function checkNames(about: About, env?: Environment): void {
  for (const { setting, meant } of misspelledSettings(env))
    about.warn(`${setting} is not a setting`, `Did you mean ${meant}? Rename or remove it.`);
}

function checkSecret(about: About, { secret }: Config): void {
  if (bitsOf(secret) >= SECRET_BITS) about.ok('is strong enough');
  else
    about.fail(
      'can be guessed: it has too few different characters',
      'Before anyone uses this installation, create another one: openssl rand -base64 32.',
    );
}

function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return bits;
}
