import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../platform/config/config.ts';
import { RELEASE } from '../platform/config/release.ts';
import type { MediaStore } from '../platform/ports/ports.ts';
import { newFile, writeRows } from './fileDigest.ts';
import { fillFolder } from './folder.ts';
import { type Manifest, type StoredTable, secretCheck, tableFile, writeManifest } from './manifest.ts';
import { copyObjects } from './objects.ts';
import { connect, isObjectReferenced, openSnapshot, type Snapshot } from './snapshot.store.ts';

type Parts = { config: Pick<Config, 'databaseUrl' | 'cell' | 'secret'>; media: MediaStore };
export type BackupResult = { folder: string } & Omit<Manifest, 'format'>;

/**
 * Writes a consistent snapshot of all rows, and every object they reference, into a folder that is complete or
 * missing.
 */
export async function makeBackup({ config, media }: Parts, target: string): Promise<BackupResult> {
  let manifest: Omit<Manifest, 'format'> | undefined;
  const folder = await fillFolder(target, async (draft) => {
    const wanted = join(draft, 'wanted');
    const snapshot = await openSnapshot(config.databaseUrl);
    let tables: StoredTable[];
    try {
      tables = await copyTables(snapshot, draft);
      await pipeline(snapshot.readObjects(), newFile(wanted));
    } finally {
      // Objects may take hours, and an open snapshot would block PostgreSQL's vacuum.
      await snapshot.close();
    }
    const { takenAt, postgres, level, sequences } = snapshot;
    const client = await connect(config.databaseUrl);
    try {
      const stillWanted = (path: string): Promise<boolean> => isObjectReferenced(client, path);
      manifest = {
        release: RELEASE,
        takenAt,
        cell: config.cell,
        secretCheck: secretCheck(config),
        postgres,
        migrations: level,
        tables,
        sequences,
        objects: await copyObjects(draft, wanted, { media, stillWanted }),
      };
    } finally {
      await client.end();
    }
    await rm(wanted);
    await writeManifest(draft, manifest, config);
  });
  if (manifest === undefined) throw new Error('nothing was written');
  return { folder, ...manifest };
}

async function copyTables(snapshot: Snapshot, draft: string): Promise<StoredTable[]> {
  const stored: StoredTable[] = [];
  for (const table of snapshot.tables) {
    stored.push({ ...table, ...(await writeRows(join(draft, tableFile(table.name)), snapshot.read(table))) });
  }
  return stored;
}
