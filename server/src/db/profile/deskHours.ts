import type { DeskWithHours } from '@settee/protocol/calls/hoursCalls';
import type { DeskHours } from '@settee/protocol/model/hours';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../engine/tables.ts';

/** Every desk that has staff or hours. */
export async function readDeskHours(db: Database): Promise<DeskWithHours[]> {
  const { rows } = await db.pool.query<DeskWithHours>(
    `select h.alias,
       coalesce(array_agg(s.name order by s.name, s.id) filter (where s.id is not null), '{}') as people,
       (select jsonb_build_object('timeZone', o.time_zone, 'week', o.week)
        from desk_hours o where o.alias = h.alias) as hours
     from handlers h left join staff s on s.alias = h.alias and s.active and s.role in ('handler', 'admin')
     where s.id is not null or exists (select from desk_hours o where o.alias = h.alias)
     group by h.alias
     order by h.alias collate "C"`,
  );
  return rows;
}

/** False if the desk does not exist. */
export async function writeDeskHours(
  db: Kysely<Tables>,
  alias: string,
  hours: DeskHours | null,
): Promise<boolean> {
  const desk = await db.selectFrom('handlers').select('alias').where('alias', '=', alias).executeTakeFirst();
  if (desk === undefined) return false;
  if (hours === null) {
    await db.deleteFrom('desk_hours').where('alias', '=', alias).execute();
  } else {
    const values = { time_zone: hours.timeZone, week: JSON.stringify(hours.week) };
    await db
      .insertInto('desk_hours')
      .values({ alias, ...values })
      .onConflict((conflict) =>
        conflict.column('alias').doUpdateSet({ ...values, updated_at: sql<Date>`now()` }),
      )
      .execute();
  }
  await db.updateTable('brand').set({ hours_rev: sql<number>`hours_rev + 1` }).execute();
  return true;
}

/** Increases with every change of hours or of the away message. */
export async function readHoursRev(db: Database): Promise<number> {
  const row = await db.sql.selectFrom('brand').select('hours_rev').executeTakeFirstOrThrow();
  return row.hours_rev;
}
