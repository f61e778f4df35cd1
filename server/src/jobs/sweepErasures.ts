import { forgetErasure, oldErasures } from '../db/conversation/erasure.ts';
import type { Database } from '../db/engine/database.ts';
import type { MediaStore } from '../ports.ts';

const BATCH = 100;

/**
 * A second look at what was erased an hour ago. An address for an upload may have been used after the conversation was
 * gone, and a worker that drew may have died with its picture written: whatever lies under its paths goes, whoever put
 * it there. Ends with an error when the store does: the rest waits.
 */
export async function sweepErasures({ db, media }: { db: Database; media: MediaStore }): Promise<number> {
  let swept = 0;
  for (;;) {
    const erasures = await oldErasures(db.sql, BATCH);
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
