// Follows the systemd guide, line by line.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { MACHINES_GUIDE, pageCode, pageLines, pageRow } from '../guide.ts';
import type { Debian } from './debian.ts';

/** Caddy's address. */
export const ORIGIN = 'https://localhost';
const MINUTES = 40;

/** Until the gateway is ready. Returns the setup code. */
export async function followGuide(checkout: string, debian: Debian): Promise<string> {
  const block = (text: string): string[] => pageLines(checkout, MACHINES_GUIDE, text);
  const passwords = { settee: secret(), settee_app: secret() };
  debian.run(checked(block('apt update')), { minutes: MINUTES, input: 'y\n' });
  for (const line of block('createuser')) {
    const password = passwords[line.endsWith('settee_app') ? 'settee_app' : 'settee'];
    debian.run(line, { input: `${password}\n${password}\n` });
  }
  const repository = 'export REPOSITORY_URL=/repository';
  debian.run(checked([repository, ...block('git clone')]), { minutes: MINUTES });
  debian.run('test -f /opt/settee/web/dist/index.html');
  settings(checkout, debian, passwords);
  debian.run(checked(['cd /opt/settee', ...block('enable --now')]));
  const [readyz = ''] = pageCode(checkout, MACHINES_GUIDE, '/readyz').filter((code) =>
    code.startsWith('curl'),
  );
  await debian.until(`${readyz} --fail`);
  const journal = block('journalctl').at(-1) ?? '';
  const printed = await debian.until(`${journal}\n${journal} | grep -q "Setup code"`);
  return /Setup code: (\S+)/.exec(printed)?.[1] ?? assert.fail(printed);
}

/** Caddy in front of the gateway. Returns the certificate of its authority. */
export async function addCaddy(checkout: string, debian: Debian): Promise<string> {
  debian.copyCaddy();
  // There is no S3, so the guide removes the second site.
  debian.run(`sed '/^media\\./,$d' /opt/settee/ops/Caddyfile > /etc/caddy/Caddyfile`);
  const codes = (text: string): string[] => pageCode(checkout, MACHINES_GUIDE, text);
  const [edit = '', section = '', line = ''] = codes('`systemctl edit');
  const gateways = codes('3. Set').find((code) => code.startsWith('SETTEE_GATEWAYS=')) ?? assert.fail();
  const lines = [
    section,
    ...['SETTEE_DOMAIN=localhost', gateways].map((each) => line.replace(/"[^"]*"/, `"${each}"`)),
  ];
  debian.run('cat > /root/settings', { input: `${lines.join('\n')}\n` });
  // `script` gives the editor a terminal.
  debian.run(`SYSTEMD_EDITOR='cp /root/settings' script --quiet --return --command '${edit}' /dev/null`);
  const [restart = ''] = codes('4. Run');
  debian.run(restart);
  await debian.until('curl --silent --fail --insecure https://localhost/brand');
  return debian.run('cat /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt');
}

/** The command line, as `settee`. It trusts Caddy's authority by the setting of the guide. */
export function addCommandLine(checkout: string, debian: Debian, certificate: string): void {
  debian.run('cat > /etc/settee/ca.crt', { input: certificate });
  debian.run('echo NODE_EXTRA_CA_CERTS=/etc/settee/ca.crt >> /etc/settee/settee.env');
  const lines = pageLines(checkout, MACHINES_GUIDE, '/usr/local/bin/settee');
  assert.match(debian.run(lines.join('\n')), /\d+ ok\b/);
}

function settings(checkout: string, debian: Debian, passwords: { settee: string; settee_app: string }): void {
  const codes = pageCode(checkout, MACHINES_GUIDE, 'Write one line into');
  const owner = codes.find((code) => code.startsWith('DATABASE_OWNER_URL=')) ?? assert.fail();
  debian.run('cat > /etc/settee/owner.env', { input: `${owner.replace('PASSWORD', passwords.settee)}\n` });
  const row = (name: string): string => pageRow(checkout, MACHINES_GUIDE, `\`${name}\``)[1] ?? '';
  const values = {
    DATABASE_URL: row('DATABASE_URL').replace('PASSWORD', passwords.settee_app),
    SECRET: debian.run(row('SECRET')).trim(),
    PUBLIC_URL: ORIGIN,
    ...Object.fromEntries(['TRUST_PROXY', 'MEDIA_ROOT', 'BACKUP_DIR'].map((name) => [name, row(name)])),
  };
  for (const [name, value] of Object.entries(values)) set(debian, name, value);
}

/** Like an editor: replaces the line of the setting, which may be a comment. */
export function set(debian: Debian, name: string, value: string): void {
  debian.run(`grep -qE '^(# )?${name}=' /etc/settee/settee.env
    sed -i -E 's|^(# )?${name}=.*|${name}=${value}|' /etc/settee/settee.env`);
}

/** Ends at the first line that fails. `bash -e` alone goes on after `a && b` if a fails. */
function checked(lines: string[]): string {
  return lines.map((line) => `${line}\n[ $? -eq 0 ] || exit 1`).join('\n');
}

const secret = (): string => randomBytes(16).toString('hex');
