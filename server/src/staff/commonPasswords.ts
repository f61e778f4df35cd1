import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { passwordProblem } from '@settee/protocol/model/person';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { Refusal } from '../platform/auth/refusal.ts';

let common: Set<string> | undefined;

/** Those of the million most common passwords that have our minimum length. Written by bin/commonPasswords.ts. */
function commonPasswords(): Set<string> {
  common ??= new Set(
    gunzipSync(readFileSync(new URL('commonPasswords.txt.gz', import.meta.url)))
      .toString()
      .trimEnd()
      .split('\n'),
  );
  return common;
}

/** Before a password is stored: refuses one that attackers try first. */
export function requireGoodPassword(password: string, person: { name: string; email: string }): void {
  const problem = passwordProblem(password, person) ?? commonProblem(password);
  if (problem !== undefined) throw new Refusal('bad_request', problem);
}

function commonProblem(password: string): string | undefined {
  return commonPasswords().has(password.toLowerCase()) ? peopleTexts.passwordIsCommon : undefined;
}
