import { createHmac, hash, type KeyObject } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Config } from '../platform/config/config.ts';
import { isSigned, keyFor, keysFor } from '../platform/config/keys.ts';
import { isMediaKey } from '../platform/ports/ports.ts';

/** Increase it when an older release cannot read the new format. */
const FORMAT = 1;
const NAME = 'manifest.json';
/** In the format of sha256sum. */
const SUM = 'manifest.sha256';
/** HMAC-SHA256 of the manifest, which has the digests of all other files. */
const SIGNATURE = 'manifest.hmac';

const Digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const Name = v.pipe(v.string(), v.regex(/^[a-z_][a-z0-9_]*$/));
const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const StoredFile = v.object({ bytes: Count, sha256: Digest });

const Manifest = v.object({
  format: v.literal(FORMAT),
  release: v.string(),
  /** PostgreSQL's time of the snapshot. */
  takenAt: v.pipe(
    v.string(),
    v.check((text) => !Number.isNaN(Date.parse(text))),
  ),
  cell: v.string(),
  /** Identifies the SECRET without revealing it. */
  secretCheck: v.string(),
  postgres: v.string(),
  /** Applied migrations, in order. */
  migrations: v.array(v.string()),
  tables: v.array(
    v.object({
      name: Name,
      columns: v.array(Name),
      rows: Count,
      /** Of the rows in any order: see rowDigest.ts. */
      digest: Digest,
      file: StoredFile,
    }),
  ),
  sequences: v.array(v.object({ name: Name, value: v.string() })),
  objects: v.object({
    count: Count,
    bytes: Count,
    /** The list of objects, one per line. */
    list: StoredFile,
    /** Objects that a row references but the store does not have. */
    lost: v.array(v.string()),
  }),
});
export type Manifest = v.InferOutput<typeof Manifest>;
export type StoredTable = Manifest['tables'][number];

/** A path becomes a file name, so it must be a media path and cannot leave the folder. */
const StoredObject = v.object({
  path: v.pipe(v.string(), v.check(isMediaKey)),
  type: v.string(),
  bytes: Count,
  sha256: Digest,
});
export type StoredObject = v.InferOutput<typeof StoredObject>;
export const StoredLine = v.pipe(v.string(), v.parseJson(), StoredObject);

export const OBJECT_LIST = 'objects.jsonl';
export const tableFile = (table: string): string => join('tables', `${table}.copy.zst`);
export const objectFile = (path: string): string => join('objects', ...path.split('/'));

export class BadBackup extends Error {}

/** Not signed with SECRET or SECRET_PREVIOUS. */
export class UnsignedBackup extends BadBackup {}

type Secrets = Pick<Config, 'secret' | 'secretPrevious'>;

export function secretCheck(config: Pick<Config, 'secret'>): string {
  return createHmac('sha256', keyFor(config, 'backup check')).update('the same secret').digest('hex');
}

export async function writeManifest(
  folder: string,
  manifest: Omit<Manifest, 'format'>,
  config: Pick<Config, 'secret'>,
): Promise<void> {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 2)}\n`;
  await writeFile(join(folder, NAME), text, { mode: 0o600, flush: true });
  await writeFile(join(folder, SUM), `${hash('sha256', text)}  ${NAME}\n`, { mode: 0o600, flush: true });
  const signature = signatureOf(text, keyFor(config, 'backup manifest'));
  await writeFile(join(folder, SIGNATURE), `${signature}\n`, { mode: 0o600, flush: true });
}

/** With secrets, it throws UnsignedBackup unless one of them signed the manifest. */
export async function readManifest(folder: string, secrets?: Secrets): Promise<Manifest> {
  const [text, sum, signature] = await Promise.all(
    [NAME, SUM, SIGNATURE].map((name) => read(join(folder, name))),
  );
  if (text === undefined || sum === undefined)
    throw new BadBackup(`There is no complete backup in ${folder}: ${NAME} or ${SUM} is missing.`);
  if (sum.trim().split(/\s/)[0] !== hash('sha256', text))
    throw new BadBackup(`${NAME} in ${folder} was changed: its SHA-256 differs.`);
  if (secrets !== undefined) refuseUnsigned(text, signature, secrets);
  const content: unknown = JSON.parse(text);
  const { format } = content as { format?: unknown };
  if (format !== FORMAT)
    throw new BadBackup(`This backup has the format ${String(format)}; this release reads ${FORMAT}.`);
  return v.parse(Manifest, content);
}

function refuseUnsigned(text: string, signature: string | undefined, secrets: Secrets): void {
  if (signature === undefined) throw new UnsignedBackup(`${NAME} is not signed: ${SIGNATURE} is missing.`);
  if (!isSigned(keysFor(secrets, 'backup manifest'), signature.trim(), (key) => signatureOf(text, key)))
    throw new UnsignedBackup(
      `${NAME} was changed, or signed with another SECRET: its signature is not valid.`,
    );
}

function signatureOf(text: string, key: KeyObject): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
