// npm run sbom: prints the runtime dependencies as a CycloneDX bill of materials.
// `npm sbom --omit dev` omits packages that are also dev dependencies (pg, sharp, ws). The lockfile does not.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Locked = { version?: string; integrity?: string; license?: string; dev?: true; link?: true };

const root = join(import.meta.dirname, '..');
const { version, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  version: string;
  packages: Record<string, Locked>;
};

const INSTALLED = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/;

function component([path, { version = '', integrity, license }]: [string, Locked]) {
  const name = INSTALLED.exec(path)?.[1] ?? '';
  const [algorithm = '', digest = ''] = integrity?.split('-') ?? [];
  return {
    type: 'library',
    'bom-ref': `${path}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license !== undefined && {
      licenses: [/ /.test(license) ? { expression: license } : { license: { id: license } }],
    }),
    ...(digest !== '' && {
      hashes: [
        { alg: algorithm.replace(/^sha/, 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') },
      ],
    }),
  };
}

const components = Object.entries(packages)
  .filter(([path, { dev, link }]) => INSTALLED.test(path) && !dev && !link)
  .map(component);

console.log(
  JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: `urn:uuid:${randomUUID()}`,
      version: 1,
      metadata: {
        timestamp: new Date().toISOString(),
        component: {
          type: 'application',
          name: 'settee',
          version,
          licenses: [{ license: { id: 'Apache-2.0' } }],
        },
      },
      components,
    },
    null,
    2,
  ),
);
