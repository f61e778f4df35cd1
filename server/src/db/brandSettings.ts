import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

export type BrandChange = { displayName?: string; verified?: boolean; avatarUrl?: string };

export async function updateBrand(db: Kysely<Tables>, change: BrandChange): Promise<void> {
  await db
    .updateTable('brand')
    .set({
      updated_at: sql<Date>`now()`,
      ...(change.displayName !== undefined && { display_name: change.displayName }),
      ...(change.verified !== undefined && { verified: change.verified }),
      ...(change.avatarUrl !== undefined && { avatar_url: change.avatarUrl }),
    })
    .execute();
}
