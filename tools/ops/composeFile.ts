import { execFileSync, spawnSync } from 'node:child_process';
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
  await tests.run('[OPEN-251] compose.yaml follows the Compose specification', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    const validate = ajv.compile((await moduleFile(composeSpec)) as object);
    const compose = readCompose(checkout);
    if (!validate(compose))
      throw new Error(validate.errors?.map((each) => `${each.instancePath} ${each.message}`).join('\n'));
    const misspelt = { ...compose, services: { app: { comand: [] } } };
    if (validate(misspelt)) throw new Error('a misspelt word was let through');
  });
  await tests.run(
    '[OPEN-251] the image is made by one service, and fetched by none that only uses it',
    () => {
      const compose = readCompose(checkout);
      const problems = buildProblems(compose);
      if (problems.length > 0) throw new Error(problems.join('\n'));
      const { app, media } = compose.services;
      const planted: Record<string, Compose['services']> = {
        'two that build': { ...compose.services, app: { ...app, build: {} } },
        'none that builds': { ...compose.services, media: { ...media, build: undefined } },
        'one that would fetch it': { ...compose.services, app: { ...app, pull_policy: 'missing' } },
      };
      for (const [mistake, services] of Object.entries(planted))
        if (buildProblems({ ...compose, services }).length === 0)
          throw new Error(`${mistake} went unnoticed`);
    },
  );
  await tests.run('[OPEN-251] make-secrets.sh makes every secret once, and NATS takes its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'settee-secrets-'));
    const clone = mkdtempSync(join(tmpdir(), 'settee-clone-'));
    try {
      for (const file of ['make-secrets.sh', 'Caddyfile'])
        copyFileSync(join(checkout, 'ops', file), join(clone, file));
      // As a strict umask leaves it. Caddy is root there, without root's right to read everything.
      const caddyfile = join(clone, 'Caddyfile');
      chmodSync(caddyfile, 0o600);
      const make = (): string =>
        execFileSync('sh', [join(clone, 'make-secrets.sh'), folder], { encoding: 'utf8' });
      make();
      if ((statSync(caddyfile).mode & 0o4) === 0) throw new Error('Caddy may not read its Caddyfile');
      if (make() !== '') throw new Error('a second run made something anew');
      const there = readdirSync(folder);
      const wanted = Object.values(readCompose(checkout).secrets).map(({ file }) => basename(file));
      const missing = wanted.filter((file) => !there.includes(file));
      if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
      JSON.parse(readFileSync(join(folder, 's3.json'), 'utf8'));
      if ((statSync(folder).mode & 0o77) !== 0) throw new Error('others may enter the folder');
      const nats = (await findProgram(natsServer)) ?? 'nats-server';
      const { status, stderr } = spawnSync(nats, ['-t', '--config', join(folder, 'nats.conf')], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`nats-server -t: ${stderr}`);
    } finally {
      for (const made of [folder, clone]) rmSync(made, { recursive: true, force: true });
    }
  });
}

/** Compose builds in parallel, and the second of two that write one name can fail: "already exists". */
function buildProblems({ services }: Compose): string[] {
  const images = Map.groupBy(
    Object.entries(services).filter(([, { image }]) => image?.startsWith('settee:')),
    ([, { image }]) => image,
  );
  return [...images].flatMap(([image, users]) => {
    const makers = users.filter(([, { build }]) => build !== undefined).map(([name]) => name);
    if (makers.length !== 1) return [`${image} is built by ${makers.join(' and ') || 'nobody'}`];
    return users
      .filter(([, { build, pull_policy: policy }]) => build === undefined && policy !== 'never')
      .map(([name]) => `${name} would fetch ${image}, which is made here`);
  });
}
