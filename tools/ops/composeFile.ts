import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { findProgram } from '../engines/program.ts';
import { natsServer } from '../engines/versions.ts';
import { type Compose, readCompose } from './compose.ts';
import { composeSpec, moduleFile } from './goModule.ts';
import type { Tests } from './tests.ts';

export async function composeFile(checkout: string, tests: Tests): Promise<void> {
  const compose = readCompose(checkout);
  await tests.run('compose.yaml follows the Compose specification', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    const validate = ajv.compile((await moduleFile(composeSpec)) as object);
    assert(validate(compose), ajv.errorsText(validate.errors));
    assert(!validate({ ...compose, services: { app: { comand: [] } } }), 'A misspelt key was accepted.');
  });
  await tests.run('one service builds the image, and no other service pulls it', () => {
    assert.deepEqual(buildProblems(compose.services), []);
    const { app, media } = compose.services;
    const planted: Compose['services'][] = [
      { ...compose.services, app: { ...app, build: {} } },
      { ...compose.services, media: { ...media, build: undefined } },
      { ...compose.services, app: { ...app, pull_policy: 'missing' } },
    ];
    for (const services of planted) assert.notDeepEqual(buildProblems(services), []);
  });
  await tests.run('make-secrets.sh creates every secret once, and NATS accepts its file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'settee-secrets-'));
    const clone = mkdtempSync(join(tmpdir(), 'settee-clone-'));
    try {
      for (const file of ['make-secrets.sh', 'Caddyfile'])
        copyFileSync(join(checkout, 'ops', file), join(clone, file));
      // As with a strict umask. In its container, Caddy is root without the right to read every file.
      const caddyfile = join(clone, 'Caddyfile');
      chmodSync(caddyfile, 0o600);
      const make = () => execFileSync('sh', [join(clone, 'make-secrets.sh'), folder], { encoding: 'utf8' });
      make();
      assert.notEqual(statSync(caddyfile).mode & 0o4, 0, 'Caddy may not read its Caddyfile.');
      assert.equal(make(), '', 'A second run created something.');
      const created = readdirSync(folder);
      const wanted = Object.values(compose.secrets).map(({ file }) => basename(file));
      assert.deepEqual(
        wanted.filter((file) => !created.includes(file)),
        [],
      );
      for (const name of ['postgres', 'nats', 's3'])
        execFileSync('openssl', ['verify', '-CAfile', 'ca.crt', '-verify_hostname', name, `${name}.crt`], {
          stdio: 'pipe',
          cwd: folder,
        });
      assert.equal(statSync(join(folder, 'ca.key')).mode & 0o77, 0, 'Others may read the key of the CA.');
      JSON.parse(readFileSync(join(folder, 's3.json'), 'utf8'));
      assert.equal(statSync(folder).mode & 0o77, 0, 'Others may enter the folder.');
      const nats = (await findProgram(natsServer)) ?? 'nats-server';
      execFileSync(nats, ['-t', '--config', 'nats.conf'], { stdio: 'pipe', cwd: folder });
    } finally {
      for (const path of [folder, clone]) rmSync(path, { recursive: true, force: true });
    }
  });
}

/** Compose builds in parallel. If two services build the same image, the second can fail with "already exists". */
function buildProblems(services: Compose['services']): string[] {
  const users = Object.entries(services).filter(([, { image }]) => image?.startsWith('settee:'));
  const builders = users.filter(([, { build }]) => build !== undefined);
  const pullers = users.filter(
    ([, { build, pull_policy: policy }]) => build === undefined && policy !== 'never',
  );
  return [
    ...(builders.length === 1 ? [] : [`The image is built by ${builders.length} services.`]),
    ...pullers.map(([name]) => `${name} would pull the image.`),
  ];
}
