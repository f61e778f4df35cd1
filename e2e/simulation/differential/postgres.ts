import pg from 'pg';
import { type Database, migrate, openDatabase } from '../../../server/testing/simulation.ts';
import { startEngines } from '../../../tools/engines/engines.ts';
import { createFreshDatabase } from '../../../tools/freshDatabase.ts';
import type { State } from '../model/state.ts';

export const INSTANCE = 'differential';

/**
 * PostgreSQL with a clock that only moves when it is told to, and with ids in a fixed order. Unqualified calls find
 * these functions before those of pg_catalog.
 */
const STANDING_CLOCK = `
  create schema fake;
  grant usage on schema fake to public;
  create table fake.clock (at timestamptz not null);
  insert into fake.clock values ('epoch');
  grant select on fake.clock to public;
  create function fake.now() returns timestamptz stable language sql as 'select at from fake.clock';
  create function fake.clock_timestamp() returns timestamptz stable language sql as 'select at from fake.clock';
  create sequence fake.ids;
  grant usage on fake.ids to public;
  create function fake.gen_random_uuid() returns uuid volatile language sql
    as $$ select md5(nextval('fake.ids')::text)::uuid $$;
  do $$
  declare v_default record;
  begin
    for v_default in
      select d.adrelid::regclass as "table", a.attname as "column", pg_get_expr(d.adbin, d.adrelid) as now
      from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      join pg_class c on c.oid = d.adrelid and c.relnamespace = 'public'::regnamespace
      where pg_get_expr(d.adbin, d.adrelid) in ('now()', 'clock_timestamp()', 'gen_random_uuid()')
    loop
      execute format('alter table %s alter column %I set default fake.%s',
        v_default.table, v_default.column, v_default.now);
    end loop;
  end $$;`;

/** What a world writes to. Children first is not needed: see reset. */
const WRITTEN = [
  ...['messages', 'conversations', 'devices', 'invites', 'blocks', 'notes', 'media', 'push_subscriptions'],
  ...['push_due', 'conversation_views', 'erasures', 'deleted_conversations', 'visitor_profiles', 'audit'],
  ...[
    'desk_staff',
    'staff',
    'staff_sessions',
    'handlers',
    'presence',
    'staff_presence',
    'gateways',
    'search_due',
  ],
  ...['figures_fresh', 'graphile_worker._private_jobs'],
];

export type Stage = {
  db: Database;
  url: string;
  setClock(at: number): Promise<void>;
  /** Removes everything. The next ids are the same as the first time. */
  reset(): Promise<void>;
  close(): Promise<void>;
};

export async function setStage(): Promise<Stage> {
  const { DATABASE_URL } = await startEngines({ instance: INSTANCE, require: true, only: ['postgres'] });
  const database = await createFreshDatabase(DATABASE_URL, { prefix: 'differential' });
  await migrate({ databaseUrl: database.url, databaseOwnerUrl: database.ownerUrl });
  const name = new URL(database.url).pathname.slice(1);
  const prepare = new pg.Client({ connectionString: database.ownerUrl });
  await prepare.connect();
  await prepare.query(STANDING_CLOCK);
  await prepare.query(`alter database ${name} set search_path = public, fake, pg_catalog`);
  // Only answers matter here, not durability. Every repeat is an error in the log.
  await prepare.query(`alter database ${name} set synchronous_commit = off`);
  await prepare.query(`alter database ${name} set log_min_messages = fatal`);
  await prepare.end();
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  // Without triggers: the audit log refuses to be deleted, and foreign keys would ask for an order.
  await owner.query('set session_replication_role = replica');
  const db = openDatabase(database.url, 4);
  return {
    db,
    url: database.url,
    async setClock(at) {
      await owner.query({ name: 'clock', text: 'update fake.clock set at = $1', values: [new Date(at)] });
    },
    async reset() {
      await owner.query(WRITTEN.map((table) => `delete from ${table}`).join(';'));
      await owner.query('alter sequence fake.ids restart');
    },
    async close() {
      await db.close();
      await owner.end();
      await database.drop();
    },
  };
}

type Rows = readonly object[];

/** The rows of the model by table of PostgreSQL, with the names of its columns in camel case. */
const TABLES: Record<string, (state: State) => Rows> = {
  conversations: (state) => state.conversations.all(),
  messages: (state) =>
    state.messages
      .keys()
      .flatMap((conversationId) =>
        (state.messages.get(conversationId) ?? []).map((message) => ({ conversationId, ...message })),
      ),
  devices: (state) => state.devices.all(),
  invites: (state) => state.invites.all(),
  staff: (state) => state.staff.all(),
  desk_staff: (state) => state.deskStaff.all(),
  staff_sessions: (state) => state.sessions.all(),
  handlers: (state) => state.handlers.all(),
  presence: (state) => state.presence.all().map(({ key: alias, ...lease }) => ({ alias, ...lease })),
  staff_presence: (state) =>
    state.staffPresence.all().map(({ key: staffId, ...lease }) => ({ staffId, ...lease })),
  blocks: (state) => state.blocks.all(),
  notes: (state) =>
    state.notes.all().map(({ handover, ...note }) => ({
      ...note,
      fromAlias: handover?.from ?? null,
      toAlias: handover?.to ?? null,
    })),
  media: (state) =>
    state.media.all().map(({ made, ...picture }) => {
      const [mediaType = null, bytes = null, width = null, height = null, thumbhash = null] = made ?? [];
      return { ...picture, mediaType, bytes, width, height, thumbhash };
    }),
  push_subscriptions: (state) => state.subscriptions.all(),
  push_due: (state) => state.pushDue.all(),
  erasures: (state) =>
    state.erasures
      .keys()
      .map((conversationId) => ({ conversationId, visitors: state.erasures.get(conversationId)?.visitors })),
};

/** The first table that differs, with its differing rows; undefined if all are equal. */
export async function findDifference(db: Database, state: State): Promise<string | undefined> {
  for (const [table, rowsOf] of Object.entries(TABLES)) {
    const modelRows = rowsOf(state);
    const { rows } = await db.query({ text: `select * from ${table}`, name: `all ${table}` });
    const columns = Object.keys(modelRows[0] ?? {}).sort();
    const inModel = modelRows.map((row) => lineOf(row, columns)).sort();
    const inReal = (rows as Rows).map((row) => lineOf(inCamelCase(row), columns)).sort();
    const onlyReal = inReal.filter((line) => !inModel.includes(line));
    const onlyModel = inModel.filter((line) => !inReal.includes(line));
    if (onlyReal.length + onlyModel.length > 0 || inReal.length !== inModel.length)
      return [
        `the table ${table} has ${inReal.length} rows, and ${inModel.length} in the model`,
        ...onlyReal.map((line) => `PostgreSQL: ${line}`),
        ...onlyModel.map((line) => `the model:  ${line}`),
      ].join('\n');
  }
  return undefined;
}

function inCamelCase(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

function lineOf(row: object, columns: readonly string[]): string {
  const values: Record<string, unknown> = { ...row };
  return columns.map((column) => `${column}: ${JSON.stringify(plain(values[column]))}`).join(', ');
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (Buffer.isBuffer(value)) return value.toString('hex');
  return Array.isArray(value) ? (value as string[]).toSorted() : value;
}
