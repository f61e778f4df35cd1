import type { Database } from '../platform/db/database.ts';
import type { MediaStore } from '../platform/ports/ports.ts';
import { deleteOrphan, takeOrphans } from './mediaWork.store.ts';

const BATCH = 100;

/** Removes images that no message carried within a day. Fails if the store fails; the next run continues. */
export async function sweepMedia({ db, media }: { db: Database; media: MediaStore }): Promise<number> {
  let swept = 0;
  for (;;) {
    const orphans = await takeOrphans(db, BATCH);
    for (const { id, stagedPath, path } of orphans) {
      await media.remove(stagedPath);
      await media.remove(path);
      await deleteOrphan(db, id);
    }
    swept += orphans.length;
    if (orphans.length < BATCH) return swept;
  }
}
