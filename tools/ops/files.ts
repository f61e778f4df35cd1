// The files of ops/ that need no gateway: secrets, units and alert rules.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { findProgram } from '../engines/program.ts';
import { natsServer } from '../engines/versions.ts';
import { promtoolProgram } from '../programs.ts';
import type { Tests } from './tests.ts';

export async function secrets(checkout: string, tests: Tests): Promise<void> {
  await tests.run('make-secrets.sh creates every secret once, and NATS accepts its file', async () => {
    const nats = (await findProgram(natsServer)) ?? 'nats-server';
    const folder = mkdtempSync(join(tmpdir(), 'settee-secrets-'));
    try {
      makesSecrets(checkout, folder, nats);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

function makesSecrets(checkout: string, folder: string, nats: string): void {
  const composes = ['compose.yaml', 'compose.small.yaml'];
  for (const file of ['make-secrets.sh', 'Caddyfile', ...composes])
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
  for (const compose of composes) {
    const { secrets: wanted } = parse(readFileSync(join(folder, compose), 'utf8'), { merge: true }) as {
      secrets: Record<string, { file: string }>;
    };
    for (const { file } of Object.values(wanted)) assert(created.includes(basename(file)), file);
  }
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

// systemd checks the units in a separate root, with a dummy for the program that they start.
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

type Panel = { targets?: { expr: string }[] };

/** tools/check/monitoring.test.ts compares the metrics with those of the product. */
export async function monitoring(checkout: string, tests: Tests): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'settee-rules-'));
  const alerts = join(checkout, 'ops/prometheus/alerts.yaml');
  const promtool = (what: 'check' | 'test', content?: object): void => {
    const file = content ? join(folder, `${what}.yaml`) : alerts;
    if (content) writeFileSync(file, JSON.stringify(content));
    execFileSync(promtoolProgram(), [what, 'rules', file], { stdio: 'pipe' });
  };
  try {
    await tests.run('promtool accepts the alert rules and every query of the dashboard', () => {
      promtool('check');
      const dashboard = readFileSync(join(checkout, 'ops/grafana/settee.json'), 'utf8');
      const { panels } = JSON.parse(dashboard) as { panels: Panel[] };
      const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
      const rules = queries.map((expr, index) => ({
        record: `query:${index}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      }));
      promtool('check', { groups: [{ name: 'dashboard', rules }] });
      console.log(`  ${queries.length} queries`);
    });
    await tests.run('an alert says that no gateway knows a backup of the last 30 hours', () => {
      // A backup is made after ten hours. The second gateway has not asked the database since.
      const input_series = ['0x599 36000x4000', '0x4600'].map((values, at) => ({
        series: `settee_last_backup_timestamp_seconds{instance="${at}"}`,
        values,
      }));
      const expr = 'count(ALERTS{alertname="SetteeBackupOld",alertstate="firing"})';
      const promql_expr_test = [
        { expr, eval_time: '40h' },
        { expr, eval_time: '42h', exp_samples: [{ labels: '{}', value: 1 }] },
      ];
      const parts = [{ interval: '1m', input_series, promql_expr_test }];
      promtool('test', { rule_files: [alerts], evaluation_interval: '10m', tests: parts });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
