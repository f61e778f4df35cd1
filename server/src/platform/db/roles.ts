import pg from 'pg';
import { column, exists, one, run } from './query.ts';
import { inTransaction, withClient } from './withClient.ts';

/** The owner migrates and restores. The application is the role of gateways, workers and most commands. */
export type RoleUrls = { databaseUrl: string; databaseOwnerUrl?: string | undefined };

/** For work that only the owner of the tables may do. */
export function ownerUrl({ databaseUrl, databaseOwnerUrl }: RoleUrls): string {
  return databaseOwnerUrl ?? databaseUrl;
}

const GRANTS_LOCK = 7365017;
/** Two installations on one server may create the role at the same time. */
const ROLE_EXISTS = new Set(['42710', '23505']);
const INSUFFICIENT_PRIVILEGE = '42501';

/** The application can only read these tables, and add to the audit log. */
const READ_ONLY = ['audit', 'audit_head', 'migrations', 'applied_functions'];
/** A trigger sets the other columns. */
const AUDIT_COLUMNS = ['actor', 'action', 'target', 'details'];
/** Triggers that run as the owner. */
const OWNER_TRIGGERS = [
  ...['chain_audit', 'count_invite_states'],
  ...['mirror_profile', 'follow_first_desk', 'last_desk_is_on'],
];
const JOBS = 'graphile_worker';

/**
 * Creates the application role if it is missing, and grants what it needs: rows, but no tables, triggers or functions.
 * Runs after every migration, so that new tables are included. Does nothing with only one role.
 */
export async function grantToApplication(urls: RoleUrls, log: (line: string) => void): Promise<void> {
  const application = new pg.Client(urls.databaseUrl);
  const { user: role = '' } = application;
  await withClient({ connectionString: ownerUrl(urls) }, async (client) => {
    if (role === client.user) return;
    await createRole(client, { role, password: application.password ?? '', log });
    await inTransaction(client, async () => {
      await run(client)`select pg_advisory_xact_lock(${GRANTS_LOCK}::bigint)`;
      for (const statement of await grants(client, pg.escapeIdentifier(role))) await client.query(statement);
    });
  });
}

async function createRole(
  client: pg.Client,
  { role, password, log }: { role: string; password: string; log: (line: string) => void },
): Promise<void> {
  if (await exists(client)`select from pg_roles where rolname = ${role}`) return;
  const name = pg.escapeIdentifier(role);
  try {
    await client.query(`create role ${name} login password ${pg.escapeLiteral(password)}`);
    log(`role ${role}`);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (ROLE_EXISTS.has(code)) return;
    if (code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error(
      `The role of DATABASE_OWNER_URL cannot create the role ${role} of DATABASE_URL. Create it as a superuser: create role ${name} login password '…'`,
      { cause: error },
    );
  }
}

async function grants(client: pg.Client, role: string): Promise<string[]> {
  const names = await one<{ schema: string; database: string }>(client)`
    select current_schema() as schema, current_database() as database`;
  const schema = pg.escapeIdentifier(names.schema);
  const database = pg.escapeIdentifier(names.database);
  // graphile-worker hides its rows from everyone except the owner.
  const hidden = await column<string>(client)`
    select c.relname::text from pg_class c where c.relnamespace = ${JOBS}::regnamespace and c.relrowsecurity
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'settee_application')`;
  return [
    `grant connect on database ${database} to ${role}`,
    `revoke create, temporary on database ${database} from public, ${role}`,
    `revoke create on schema ${schema} from public, ${role}`,
    ...[schema, JOBS].flatMap((each) => [
      `grant usage on schema ${each} to ${role}`,
      `grant select, insert, update, delete on all tables in schema ${each} to ${role}`,
      `grant usage, select on all sequences in schema ${each} to ${role}`,
    ]),
    `revoke all on ${READ_ONLY.join(', ')} from ${role}`,
    `grant select on ${READ_ONLY.join(', ')} to ${role}`,
    `grant insert (${AUDIT_COLUMNS.join(', ')}) on audit to ${role}`,
    // Temporary tables come last: otherwise one called audit_head would replace ours.
    ...OWNER_TRIGGERS.map(
      (name) => `alter function ${name}() security definer set search_path = pg_catalog, ${schema}, pg_temp`,
    ),
    `revoke insert, update, delete on ${JOBS}.migrations from ${role}`,
    ...hidden.map(
      (name) => `create policy settee_application on ${JOBS}.${pg.escapeIdentifier(name)} using (true)`,
    ),
  ];
}
