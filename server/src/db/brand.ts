import type { Brand } from '@settee/protocol/brand';
import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

export async function readBrand(db: Database): Promise<Brand> {
  const row = await db.sql.selectFrom('brand').selectAll().executeTakeFirstOrThrow();
  const updatedAt = row.updated_at.getTime();
  return {
    displayName: row.display_name,
    avatarUrl: row.avatar_url === null ? null : withVersion(row.avatar_url, updatedAt),
    verified: row.verified,
    disclosure: row.disclosure,
    updatedAt,
  };
}

/** A changed picture gets a new address, so that no cache shows the old one. */
function withVersion(avatarUrl: string, updatedAt: number): string {
  return `${avatarUrl}${avatarUrl.includes('?') ? '&' : '?'}v=${updatedAt}`;
}

export type BrandChange = {
  displayName?: string;
  verified?: boolean;
  avatarUrl?: string;
  disclosure?: string;
};

export async function updateBrand(db: Kysely<Tables>, change: BrandChange): Promise<void> {
  await db
    .updateTable('brand')
    .set({
      updated_at: sql<Date>`now()`,
      ...(change.displayName !== undefined && { display_name: change.displayName }),
      ...(change.verified !== undefined && { verified: change.verified }),
      ...(change.disclosure !== undefined && { disclosure: change.disclosure }),
      ...(change.avatarUrl !== undefined && { avatar_url: change.avatarUrl }),
    })
    .execute();
}
