import { defaultBrand } from '@settee/protocol/model/brand';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../engine/tables.ts';

export type FirstSteps = { profile: boolean; handler: boolean; invite: boolean };

/**
 * What a new installation still needs before a visitor can be answered. A step that was done stays done, whatever
 * became of it: who keeps the name that was there has still saved a profile, and retention takes the last invite away.
 * The log remembers both, and finds them by its index.
 */
export async function readFirstSteps(db: Kysely<Tables>): Promise<FirstSteps> {
  const { rows } = await sql<FirstSteps>`
    select
      exists (select from brand
        where display_name <> ${defaultBrand.displayName} or avatar_url is not null)
        or exists (select from audit where action = 'brand.set') as profile,
      exists (select from staff
        where active and alias is not null and role in ('handler', 'admin')) as handler,
      exists (select from invites) or exists (select from audit where action = 'invite.create') as invite
  `.execute(db);
  return rows[0] ?? { profile: false, handler: false, invite: false };
}
