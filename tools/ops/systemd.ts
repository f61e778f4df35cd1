// The units, read by systemd itself: in a root of their own, where the program that they start is a stand-in.
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Tests } from './tests.ts';

const run = promisify(execFile);
const SYSTEM_UNITS = ['/usr/lib/systemd/system', '/lib/systemd/system'];
/** Of 100; systemd calls what is below 20 safe enough to be pleased with. */
const EXPOSURE_MAX = '20';

const PLANTED = '[Service]\nExecStart=/opt/settee/node_modules/.bin/node\nProtectSytem=strict\n';

export async function systemd(checkout: string, tests: Tests): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'settee-units-'));
  const units = readdirSync(join(checkout, 'ops/systemd'));
  const services = units.filter((unit) => unit.endsWith('.service')).map(instance);
  try {
    prepare(root, join(checkout, 'ops/systemd'));
    await tests.run('[OPEN-253] systemd has nothing to say against the units', async () => {
      const { stderr } = await analyze(['verify', '--man=no', `--root=${root}`, ...units.map(instance)]);
      if (stderr.trim() !== '') throw new Error(stderr);
      writeFileSync(join(root, 'etc/systemd/system/planted.service'), PLANTED);
      const planted = await analyze(['verify', '--man=no', `--root=${root}`, 'planted.service']);
      if (!planted.stderr.includes('ProtectSytem')) throw new Error('a misspelt word was let through');
    });
    await tests.run('[OPEN-253] every service is shut in, by systemd’s own measure', async () => {
      for (const service of services) {
        const { stdout } = await analyze([
          ...['security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, '--no-pager'],
          ...[`--root=${root}`, service],
        ]);
        console.log(`  ${/Overall exposure level.*: [\d.]+/.exec(stdout)?.[0]}`);
      }
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** A template is looked at as one of its instances. */
function instance(unit: string): string {
  return unit.replace('@.', '@8081.');
}

function prepare(root: string, units: string): void {
  for (const folder of SYSTEM_UNITS) cpSync(folder, join(root, folder), { recursive: true, force: true });
  cpSync(units, join(root, 'etc/systemd/system'), { recursive: true });
  const node = join(root, 'opt/settee/node_modules/.bin/node');
  mkdirSync(dirname(node), { recursive: true });
  writeFileSync(node, '#!/bin/sh\n');
  chmodSync(node, 0o755);
}

async function analyze(args: string[]): Promise<{ stdout: string; stderr: string }> {
  try {
    return await run('systemd-analyze', args, { maxBuffer: 1 << 24 });
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    throw new Error(`systemd-analyze ${args.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`);
  }
}
