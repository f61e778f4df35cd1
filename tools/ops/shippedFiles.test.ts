// The files of ops/ must agree with each other and with the product.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { keys } from '../../server/testing/rules.ts';

const checkout = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(checkout, path), 'utf8');

type Service = {
  image?: string;
  build?: object;
  pull_policy?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  secrets?: string[];
  networks?: string[];
  ports?: string[];
  volumes?: string[];
  scale?: string;
};
type Compose = { services: Record<string, Service>; networks: Record<string, { internal?: boolean }> };
const [compose, small] = ['compose.yaml', 'compose.small.yaml'].map((file) =>
  parse(read(`ops/${file}`), { merge: true }),
) as [Compose, Compose];
const ownOf = ({ services }: Compose): [string, Service][] =>
  Object.entries(services).filter(([, { image: name }]) => name?.includes('SETTEE_IMAGE'));
const own = [...ownOf(compose), ...ownOf(small)];

/** The last instruction of a kind in the Dockerfile. */
const dockerfile = read('Dockerfile');
const instruction = (word: string): string =>
  Array.from(
    dockerfile.matchAll(new RegExp(`^${word} ((?:.*\\\\\n)*.*)$`, 'gm')),
    ([, rest = '']) => rest,
  ).at(-1) ?? '';
const image = {
  command: JSON.parse(instruction('CMD')) as string[],
  entrypoint: JSON.parse(instruction('ENTRYPOINT')) as string[],
  settings: Array.from(instruction('ENV').matchAll(/([A-Z_]+)=/g), ([, name = '']) => name),
};

const templates = readdirSync(join(checkout, 'ops/chart/templates')).map((file) =>
  read(`ops/chart/templates/${file}`),
);
const units = readdirSync(join(checkout, 'ops/systemd')).map(
  (file) => [file, read(`ops/systemd/${file}`)] as const,
);

/** The arguments of Node.js, by purpose and place. */
function commands(): Record<string, Record<string, string | undefined>> {
  const inChart = (file: string): string | undefined =>
    /args: \[([^\]]+)\]/.exec(read(`ops/chart/templates/${file}.yaml`))?.[1]?.replaceAll(', ', ' ');
  const inUnit = (file: string): string | undefined =>
    /^ExecStart=\S+\/node (.+)$/m.exec(read(`ops/systemd/${file}.service`))?.[1];
  const inCompose = (service: string, { services } = compose): string | undefined =>
    services[service]?.command?.join(' ');
  return {
    gateway: {
      image: image.command.join(' '),
      compose: inCompose('app'),
      small: inCompose('app', small),
      chart: inChart('gateway'),
      systemd: inUnit('settee-gateway@'),
    },
    worker: { compose: inCompose('worker'), chart: inChart('worker'), systemd: inUnit('settee-worker') },
    migrate: {
      compose: inCompose('migrate'),
      small: inCompose('migrate', small),
      chart: inChart('migrate'),
      systemd: inUnit('settee-migrate'),
    },
  };
}

test('image, compose, chart and units start the same programs', () => {
  for (const places of Object.values(commands())) {
    expect(new Set(Object.values(places)).size, JSON.stringify(places)).toBe(1);
    const [program = ''] = (Object.values(places)[0] ?? '').split(' ');
    expect(read(program)).not.toBe('');
  }
  expect(image.entrypoint).toEqual(['/nodejs/bin/node']);
  expect(compose.services.cli?.entrypoint).toEqual([...image.entrypoint, 'server/src/cli.ts']);
});

test('the chart and every workspace have the released version', () => {
  type Package = { version: string; workspaces: string[]; dependencies?: Record<string, string> };
  const { version, workspaces } = JSON.parse(read('package.json')) as Package;
  const { version: chart, appVersion } = parse(read('ops/chart/Chart.yaml')) as Record<string, string>;
  const packages = workspaces.flatMap((name) => {
    const { version: own, dependencies = {} } = JSON.parse(read(`${name}/package.json`)) as Package;
    return [own, dependencies['@settee/protocol'] ?? own];
  });
  expect(new Set([chart, appVersion, ...packages])).toEqual(new Set([version]));
});

/** Variables that Node.js reads. */
const NOT_OURS = ['NODE_ENV', 'HOME', 'NODE_EXTRA_CA_CERTS'];
const known = (name: string): boolean => {
  const plain = name.replace(/_FILE$/, '');
  const key = (keys as Record<string, { secret?: true }>)[plain];
  return NOT_OURS.includes(name) || (key !== undefined && (plain === name || key.secret === true));
};

test('every setting in ops/ is one that the product reads', () => {
  const given = [
    ...image.settings,
    ...own.flatMap(([, { environment = {} }]) => Object.keys(environment)),
    ...templates.flatMap((text) =>
      Array.from(text.matchAll(/\{ name: ([A-Z0-9_]+), value:/g), ([, name]) => name ?? ''),
    ),
    ...Array.from(
      read('ops/chart/values.yaml').matchAll(/^ {2}- ([A-Z0-9_]+)$/gm),
      ([, name]) => `${name}_FILE`,
    ),
    ...units.flatMap(([, text]) =>
      Array.from(text.matchAll(/^Environment=(.*)$/gm), ([, line = '']) =>
        line.split(' ').map((pair) => pair.split('=')[0] ?? ''),
      ).flat(),
    ),
  ];
  expect(given.length).toBeGreaterThan(40);
  expect(given.filter((name) => !known(name))).toEqual([]);
});

test('Compose backs up on a schedule, to where its command line and BACKUP_HOOK find it', () => {
  for (const { services } of [compose, small]) {
    const { backup, cli } = services;
    expect(backup?.command).toEqual([cli?.entrypoint?.at(-1), 'backup', 'schedule']);
    for (const service of [backup, cli]) {
      expect(fill(service?.environment?.BACKUP_DIR ?? '', {})).toBe('/backups');
      expect(service?.volumes?.map((volume) => fill(volume, {}))).toContain('backups:/backups');
    }
    expect(backup?.networks).toContain('out');
  }
});

test('one service builds the image, and no other service pulls it', () => {
  // Compose builds in parallel. If two services build the same image, the second can fail with "already exists".
  for (const [file, builder] of [
    [compose, 'media'],
    [small, 'migrate'],
  ] as const) {
    const builders = ownOf(file).filter(([, { build }]) => build !== undefined);
    expect(builders.map(([name]) => name)).toEqual([builder]);
    const others = ownOf(file).filter(([name]) => name !== builder);
    expect(new Set(others.map(([, { pull_policy: policy }]) => policy))).toEqual(new Set(['never']));
  }
});

const KEYS = Object.keys(keys);
/** Each setting with a value that shows where it came from. */
const GIVEN = Object.fromEntries(KEYS.map((name) => [name, `given ${name}`]));

/** Fills in variables as Compose does: ${NAME}, ${NAME:-default} and ${NAME:+replacement}, also nested. */
function fill(text: string, env: Record<string, string>): string {
  const innermost = /\$\{(\w+)(?:(:[-+])([^${}]*))?\}/;
  let filled = text;
  for (let at = innermost.exec(filled); at !== null; at = innermost.exec(filled)) {
    const [whole, name = '', operator, other = ''] = at;
    const value = env[name] ?? '';
    const result = operator === ':+' ? value && other : value || other;
    filled = filled.replace(whole, () => result);
  }
  return filled;
}

/** The settings that do not arrive in a service when ops/.env has all of them. A value wins over a _FILE. */
function withheld({ environment = {}, env_file: files = [] }: Service): string[] {
  const passed = files.some(({ path, required }) => path === './.env' && !required) ? GIVEN : {};
  const set = Object.entries(environment).map(([name, value]) => [name, fill(String(value), GIVEN)]);
  const arrived: Record<string, string> = { ...passed, ...Object.fromEntries(set) };
  return KEYS.filter((name) => arrived[name] !== GIVEN[name]);
}

const OWNER = ['DATABASE_OWNER_URL'];

test('[MAIL-12] ops/.env alone changes every setting of every service; only two know the owner of the tables', () => {
  const all = { app: OWNER, worker: OWNER, backup: OWNER, cli: [] };
  const migrate = ['DATABASE_URL', ...OWNER, 'REQUIRE_TLS'];
  const bucket = KEYS.filter((name) => name.startsWith('S3_') && name !== 'S3_PUBLIC_ENDPOINT');
  const except = (names: string[]): string[] => KEYS.filter((name) => !names.includes(name));
  const { worker: _, ...few } = all;
  for (const [file, expected] of [
    [compose, { ...all, migrate: except(migrate), media: except([...bucket, 'PUBLIC_URL', 'REQUIRE_TLS']) }],
    [small, { ...few, migrate: except(migrate) }],
  ] as const)
    expect(Object.fromEntries(ownOf(file).map(([name, service]) => [name, withheld(service)]))).toEqual(
      expected,
    );
  // Even as a path.
  for (const [name, { environment }] of own)
    if (name in all && name !== 'cli') expect(environment).toMatchObject({ DATABASE_OWNER_URL_FILE: '' });
});

test('settee.env changes every setting of the units, and the values of the chart those of its pods', () => {
  for (const [file, text] of units.filter(([name]) => /gateway|worker|backup\.service/.test(name))) {
    expect(text, file).toMatch(/^EnvironmentFile=\/etc\/settee\/settee\.env$/m);
    expect(/^UnsetEnvironment=(.+)$/m.exec(text)?.[1]?.split(' '), file).toEqual([
      ...OWNER,
      ...OWNER.map((name) => `${name}_FILE`),
    ]);
  }
  const shared = read('ops/chart/templates/_helpers.tpl');
  expect(shared).toMatch(/range \.Values\.secretKeys \}\}\n- \{ name: \{\{ \. \}\}_FILE,/);
  expect(shared).toMatch(/range \$name, \$value := \.Values\.env \}\}\n- \{ name: \{\{ \$name \}\},/);
  for (const file of ['gateway', 'worker'])
    expect(read(`ops/chart/templates/${file}.yaml`)).toContain('include "settee.environment" .');
  const { properties } = JSON.parse(read('ops/chart/values.schema.json')) as {
    properties: { env: object; secretKeys: { items: { pattern: string }; allOf: object[] } };
  };
  expect(properties.env).toEqual({ type: 'object', additionalProperties: { type: 'string' } });
  for (const name of KEYS) expect(name).toMatch(new RegExp(properties.secretKeys.items.pattern));
  expect(properties.secretKeys.allOf).toContainEqual({ not: { contains: { const: OWNER[0] } } });
});

test('the migration and the setup of the bucket get only their own secrets', () => {
  const { migrate, media } = compose.services;
  expect(small.services.migrate?.secrets).toEqual(migrate?.secrets);
  expect(migrate?.secrets).toEqual(['ca.crt', 'database_url', 'database_owner_url']);
  expect(media?.secrets).toEqual(['ca.crt', 's3_setup_access_key_id', 's3_setup_secret_access_key']);
  const unit = read('ops/systemd/settee-migrate.service');
  const removed = /^UnsetEnvironment=(.+)$/m.exec(unit)?.[1]?.split(' ');
  const others = Object.entries(keys as Record<string, { secret?: true }>)
    .filter(([name, { secret }]) => secret === true && !name.startsWith('DATABASE_'))
    .map(([name]) => name);
  expect(removed?.sort()).toEqual(others.sort());
});

test('only Caddy has ports for other machines, and only necessary services have outbound access', () => {
  for (const file of [compose, small]) {
    const ports = Object.entries(file.services).flatMap(([name, { ports: published = [] }]) =>
      published.map((port) => [name, fill(port, {})] as const),
    );
    expect(
      new Set(ports.filter(([, port]) => !port.startsWith('127.0.0.1::')).map(([name]) => name)),
    ).toEqual(new Set(['caddy']));
    expect(file.networks.data?.internal).toBe(true);
    expect(fill(file.services.caddy?.scale ?? '', { SETTEE_CADDY: '0' })).toBe('0');
    expect(file.services.postgres?.networks).toEqual(['data']);
  }
  for (const name of ['postgres', 'nats', 'migrate', 'media'])
    expect(compose.services[name]?.networks).toEqual(['data']);
  // Its `doctor` asks PUBLIC_URL and the push services.
  expect(compose.services.cli?.networks).toEqual(['data', 'out']);
});

test('no bot updates PostgreSQL to a major version that would start empty', () => {
  const [name = '', tag = ''] = (compose.services.postgres?.image ?? '').split(':');
  const { packageRules } = JSON.parse(read('.github/renovate.json')) as {
    packageRules: { matchPackageNames?: string[]; allowedVersions?: string }[];
  };
  const held = packageRules.filter(({ matchPackageNames }) => matchPackageNames?.includes(name));
  expect(held.map(({ allowedVersions }) => allowedVersions)).toEqual([`${Number.parseInt(tag, 10)}.x`]);
});

test('Caddy logs and proxies in the same way for one gateway, for one cell and for several', () => {
  const [one, several, little] = [
    read('ops/Caddyfile'),
    read('ops/Caddyfile.cells'),
    read('ops/Caddyfile.small'),
  ];
  const partsOf = (text: string): (string | undefined)[] => [
    /^\{\n[\s\S]*?\n\}$/m.exec(text)?.[0],
    /^\t# No `encode`[\s\S]*?\n\t\}$/m.exec(text)?.[0].replace(/reverse_proxy .* \{/, 'reverse_proxy {'),
    /^media\.[\s\S]*?Strict-Transport-Security.*$/m.exec(text)?.[0],
  ];
  expect(partsOf(several)).toEqual(partsOf(one));
  expect(partsOf(little)).toEqual([...partsOf(one).slice(0, 2), undefined]);
  expect(partsOf(one)).not.toContain(undefined);
});
