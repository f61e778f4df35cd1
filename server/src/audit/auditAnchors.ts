import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import type { Config } from '../platform/config/config.ts';
import { isSigned, keyFor, keysFor } from '../platform/config/keys.ts';
import type { Database } from '../platform/db/database.ts';
import { readInstallationId } from '../platform/db/installation.ts';
import { forEachConcurrently } from '../platform/limits/concurrency.ts';
import type { Log } from '../platform/log/log.ts';
import type { Clock, MediaStore } from '../platform/ports/ports.ts';
import { readAuditHead } from './auditLog.store.ts';

/** Not the path of any image, so no signed URL is ever made for it. */
const FOLDER = 'anchors';
const TYPE = 'application/json';
const BYTES_MAX = 1_000;
/** At least a week of work: an anchor is written every ten minutes at most. */
const COMPARED_MAX = 1_000;
const AT_ONCE = 8;
/** So that the order of names is the order of numbers. */
const DIGITS = 15;

const Anchor = v.object({
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** In milliseconds. */
  at: v.number(),
  mac: v.string(),
});
const Stored = v.pipe(v.string(), v.parseJson(), Anchor);
type Anchor = v.InferOutput<typeof Anchor>;

type Keys = Pick<Config, 'secret' | 'secretPrevious'>;
type Parts = { db: Database; media: MediaStore };

/**
 * Copies the end of the audit log to the log and to the media store. Somebody who owns the database can remove the last
 * entries, but not from there. Does nothing if there is no new entry.
 */
export async function writeAnchor(
  parts: Parts & { secret: string; clock: Clock; log: Log },
): Promise<boolean> {
  const { db, media, secret, clock, log } = parts;
  const { count, hash } = await readAuditHead(db);
  const folder = await folderOf(db);
  const path = `${folder}/${String(count).padStart(DIGITS, '0')}`;
  if (count === 0 || (await media.head(path)) !== undefined) return false;
  log.info({ auditCount: count, auditHash: hash }, 'audit anchor');
  const content = { count, hash, at: clock.now() };
  const mac = macOf(keyFor({ secret }, 'audit anchor'), folder, content);
  await media.put(path, Buffer.from(JSON.stringify({ ...content, mac })), TYPE);
  return true;
}

/** The newest anchors of this installation, and how many others could not be verified. */
export async function readAnchors(
  { db, media }: Parts,
  config: Keys,
): Promise<{ anchors: Anchor[]; invalid: number }> {
  const folder = await folderOf(db);
  const paths = (await pathsIn(media, folder)).slice(-COMPARED_MAX);
  const anchors: Anchor[] = [];
  await forEachConcurrently(paths, AT_ONCE, async (path) => {
    const body = await media.get(path, BYTES_MAX);
    const parsed = v.safeParse(Stored, Buffer.from(body ?? []).toString());
    if (parsed.success && isOurs(config, folder, parsed.output)) anchors.push(parsed.output);
  });
  return {
    anchors: anchors.toSorted((a, b) => a.count - b.count),
    invalid: paths.length - anchors.length,
  };
}

/** After a restore, the log continues from the backup. So anchors of later entries no longer apply. */
export async function removeLaterAnchors({ db, media }: Parts): Promise<number> {
  const { count } = await readAuditHead(db);
  const later = (await pathsIn(media, await folderOf(db))).filter((path) => numberOf(path) > count);
  for (const path of later) await media.remove(path);
  return later.length;
}

async function folderOf(db: Database): Promise<string> {
  return `${FOLDER}/${await readInstallationId(db)}`;
}

async function pathsIn(media: MediaStore, folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of media.listAll(folder)) paths.push(path);
  return paths.toSorted();
}

function numberOf(path: string): number {
  return Number(path.split('/').at(-1));
}

function macOf(
  key: Parameters<typeof createHmac>[1],
  folder: string,
  { count, hash, at }: Omit<Anchor, 'mac'>,
): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([folder, count, hash, at]))
    .digest('hex');
}

function isOurs(config: Keys, folder: string, anchor: Anchor): boolean {
  return isSigned(keysFor(config, 'audit anchor'), anchor.mac, (key) => macOf(key, folder, anchor));
}
