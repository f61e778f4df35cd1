import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ErrorCode } from '../../protocol/src/calls/errorCodes.ts';

const root = join(import.meta.dirname, '../..');
/** The files that only list the codes. */
const LISTS = ['protocol/src/calls/errorCodes.ts', 'protocol/src/calls/errors.ts'];

test('[API-01] every refusal in the protocol is one that a client can get', () => {
  const code = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'server/src', 'protocol/src'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !LISTS.includes(file))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  expect(ErrorCode.options.filter((each) => !code.includes(`'${each}'`))).toEqual([]);
});
