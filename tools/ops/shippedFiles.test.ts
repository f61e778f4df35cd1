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
  secrets?: string[];
  networks?: string[];
  ports?: string[];
};
const compose = parse(read('ops/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
};
const own = Object.entries(compose.services).filter(([, { image: name }]) => name?.includes('SETTEE_IMAGE'));

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
  const inCompose = (service: string): string | undefined => compose.services[service]?.command?.join(' ');
  return {
    gateway: {
      image: image.command.join(' '),
      compose: inCompose('app'),
      chart: inChart('gateway'),
      systemd: inUnit('settee-gateway@'),
    },
    worker: { compose: inCompose('worker'), chart: inChart('worker'), systemd: inUnit('settee-worker') },
    migrate: { compose: inCompose('migrate'), chart: inChart('migrate'), systemd: inUnit('settee-migrate') },
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

test('one service builds the image, and no other service pulls it', () => {
  // Compose builds in parallel. If two services build the same image, the second can fail with "already exists".
  const builders = own.filter(([, { build }]) => build !== undefined).map(([name]) => name);
  expect(builders).toEqual(['media']);
  const others = own.filter(([name]) => name !== 'media');
  expect(new Set(others.map(([, { pull_policy: policy }]) => policy))).toEqual(new Set(['never']));
});

test('[MAIL-12] compose passes the settings of the mail server', () => {
  for (const name of ['app', 'worker', 'cli'])
    for (const key of ['SMTP_URL', 'SMTP_TLS', 'MAIL_FROM'])
      expect(compose.services[name]?.environment, name).toHaveProperty(key);
});

test('the migration and the setup of the bucket get only their own secrets', () => {
  const { migrate, media } = compose.services;
  expect(migrate?.secrets).toEqual(['ca.crt', 'database_url', 'database_owner_url']);
  expect(media?.secrets).toEqual(['ca.crt', 's3_setup_access_key_id', 's3_setup_secret_access_key']);
  for (const service of [migrate, media]) {
    const given = Object.entries(service?.environment ?? {}).filter(([name]) => !/^S3_.*_FILE$/.test(name));
    expect({
      DATABASE_OWNER_URL_FILE: '/run/secrets/database_owner_url',
      ...compose.services.app?.environment,
    }).toMatchObject(Object.fromEntries(given));
  }
  const unit = read('ops/systemd/settee-migrate.service');
  const removed = /^UnsetEnvironment=(.+)$/m.exec(unit)?.[1]?.split(' ');
  const others = Object.entries(keys as Record<string, { secret?: true }>)
    .filter(([name, { secret }]) => secret === true && !name.startsWith('DATABASE_'))
    .map(([name]) => name);
  expect(removed?.sort()).toEqual(others.sort());
});

test('only Caddy has ports, and only necessary services have outbound access', () => {
  const services = Object.entries(compose.services);
  expect(services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual(['caddy']);
  expect(compose.networks.data?.internal).toBe(true);
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

test('the router of several cells logs and proxies like the Caddyfile of one', () => {
  const [one, several] = [read('ops/Caddyfile'), read('ops/Caddyfile.cells')];
  const partsOf = (text: string): (string | undefined)[] => [
    /^\{\n[\s\S]*?\n\}$/m.exec(text)?.[0],
    /^\t# No `encode`[\s\S]*?\n\t\}$/m.exec(text)?.[0].replace(/reverse_proxy .* \{/, 'reverse_proxy {'),
    /^media\.[\s\S]*?Strict-Transport-Security.*$/m.exec(text)?.[0],
  ];
  expect(partsOf(several)).toEqual(partsOf(one));
  expect(partsOf(one)).not.toContain(undefined);
});
