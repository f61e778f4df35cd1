import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { findProgram } from '../engines/program.ts';
import { natsServer } from '../engines/versions.ts';
import type { Tests } from './tests.ts';

export async function secrets(checkout: string, tests: Tests): Promise<void> {
  await tests.run(
    '[OPS-45] make-secrets.sh creates every secret once, and NATS accepts its file',
    async () => {
      const nats = (await findProgram(natsServer)) ?? 'nats-server';
      const folder = mkdtempSync(join(tmpdir(), 'settee-secrets-'));
      try {
        makesSecrets(checkout, folder, nats);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
}

function makesSecrets(checkout: string, folder: string, nats: string): void {
  for (const file of ['make-secrets.sh', 'Caddyfile', 'compose.yaml'])
    copyFileSync(join(checkout, 'ops', file), join(folder, file));
  // As with a strict umask. In its container, Caddy is root without the right to read every file.
  const caddyfile = join(folder, 'Caddyfile');
  chmodSync(caddyfile, 0o600);
  const make = () => execFileSync('sh', [join(folder, 'make-secrets.sh')], { encoding: 'utf8' });
  make();
  assert.notEqual(statSync(caddyfile).mode & 0o4, 0, 'Caddy may not read its Caddyfile.');
  assert.equal(make(), '', 'A second run created something.');
  const made = join(folder, 'secrets');
  const created = readdirSync(made);
  const { secrets: wanted } = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), { merge: true }) as {
    secrets: Record<string, { file: string }>;
  };
  for (const { file } of Object.values(wanted)) assert(created.includes(basename(file)), file);
  for (const name of ['postgres', 'nats', 's3'])
    execFileSync('openssl', ['verify', '-CAfile', 'ca.crt', '-verify_hostname', name, `${name}.crt`], {
      stdio: 'pipe',
      cwd: made,
    });
  assert.equal(statSync(join(made, 'ca.key')).mode & 0o77, 0, 'Others may read the key of the CA.');
  assert.equal(statSync(made).mode & 0o77, 0, 'Others may enter the folder.');
  JSON.parse(readFileSync(join(made, 's3.json'), 'utf8'));
  execFileSync(nats, ['-t', '--config', 'nats.conf'], { stdio: 'pipe', cwd: made });
}
