import pg from 'pg';

/**
 * Sets the time that now() and clock_timestamp() return in a database, so that the product's own actions can write
 * history. Affects only connections that are opened afterwards.
 */
export async function travelInTime(ownerUrl: string): Promise<{
  goTo(at: number): Promise<void>;
  /** Restores the real time and removes all traces. */
  end(): Promise<void>;
}> {
  const client = new pg.Client(ownerUrl);
  await client.connect();
  const name = new URL(ownerUrl).pathname.slice(1);
  const { rows: defaults } = await client.query<{ column: string }>(DEFAULTS_OF_NOW);
  await client.query(`
    create schema travel;
    grant usage on schema travel to public;
    create table travel.clock (at timestamptz not null);
    grant select on travel.clock to public;
    insert into travel.clock values (pg_catalog.now());
    create function travel.clock_timestamp() returns timestamptz language sql volatile as 'select at from travel.clock';
    create function travel.now() returns timestamptz language sql stable as 'select at from travel.clock';
    ${defaults.map(({ column }) => `${column} set default travel.now();`).join('\n')}
    alter function chain_audit() set search_path = travel, pg_catalog, public, pg_temp;
    alter database ${name} set search_path = travel, pg_catalog, public`);
  return {
    goTo: async (at) => {
      await client.query('update travel.clock set at = $1', [new Date(at)]);
    },
    end: async () => {
      await client.query(`
        ${defaults.map(({ column }) => `${column} set default pg_catalog.now();`).join('\n')}
        alter function chain_audit() set search_path = pg_catalog, public, pg_temp;
        alter database ${name} reset search_path;
        drop schema travel cascade`);
      await client.end();
    },
  };
}

/** Column defaults are bound to their function, so the search path does not affect them. */
const DEFAULTS_OF_NOW = `
  select format('alter table %s alter column %I', d.adrelid::regclass, a.attname) as column
  from pg_attrdef d
  join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
  join pg_class c on c.oid = d.adrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and pg_get_expr(d.adbin, d.adrelid) = 'now()'`;
