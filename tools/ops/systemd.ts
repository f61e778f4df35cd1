// systemd checks the units in a separate root, with a dummy for the program that they start.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Tests } from './tests.ts';

const run = promisify(execFile);
const SYSTEM_UNITS = ['/usr/lib/systemd/system', '/lib/systemd/system'];
const NODE = 'opt/settee/node_modules/.bin/node';
/** Of 100. */
const EXPOSURE_MAX = '20';

export async function systemd(checkout: string, tests: Tests): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'settee-units-'));
  // A template is checked as one of its instances.
  const units = readdirSync(join(checkout, 'ops/systemd')).map((unit) => unit.replace('@.', '@8081.'));
  const analyze = (...args: string[]) =>
    run('systemd-analyze', [...args, `--root=${root}`], { maxBuffer: 1 << 24 });
  const verify = async (...names: string[]) => (await analyze('verify', '--man=no', ...names)).stderr.trim();
  try {
    for (const folder of SYSTEM_UNITS) cpSync(folder, join(root, folder), { recursive: true, force: true });
    cpSync(join(checkout, 'ops/systemd'), join(root, 'etc/systemd/system'), { recursive: true });
    mkdirSync(dirname(join(root, NODE)), { recursive: true });
    writeFileSync(join(root, NODE), '#!/bin/sh\n', { mode: 0o755 });
    await tests.run('systemd accepts the units', async () => {
      assert.equal(await verify(...units), '');
      const planted = `[Service]\nExecStart=/${NODE}\nProtectSytem=strict\n`;
      writeFileSync(join(root, 'etc/systemd/system/planted.service'), planted);
      assert.match(await verify('planted.service'), /ProtectSytem/);
    });
    await tests.run('every service is sandboxed, as measured by systemd', async () => {
      for (const service of units.filter((unit) => unit.endsWith('.service'))) {
        const limit = `--threshold=${EXPOSURE_MAX}`;
        const { stdout } = await analyze('security', '--offline=true', limit, '--no-pager', service);
        console.log(`  ${/Overall exposure level.*: [\d.]+/.exec(stdout)?.[0]}`);
      }
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
