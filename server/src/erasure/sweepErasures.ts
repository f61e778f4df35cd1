import type { Database } from '../platform/db/database.ts';
import type { MediaStore } from '../platform/ports/ports.ts';
import { forgetErasure, listOldErasures } from './erasure.store.ts';

const BATCH = 100;

/**
 * Deletes all objects of conversations erased an hour ago. A signed upload URL may have been used after the erasure,
 * or a worker may have died after writing an image. Fails if the store fails; the next run continues.
 */
export async function sweepErasures({ db, media }: { db: Database; media: MediaStore }): Promise<number> {
  let swept = 0;
  for (;;) {
    const erasures = await listOldErasures(db, BATCH);
    for (const erasure of erasures) {
      for (const folder of ['uploads', 'conversations']) {
        await media.removeAll(`${folder}/${erasure.conversationId}`);
      }
      await forgetErasure(db, erasure);
    }
    swept += erasures.length;
    if (erasures.length < BATCH) return swept;
  }
}
