import type { AlterTableCmd, ColumnDef, Constraint, DropStmt, IndexStmt, RangeVar } from 'libpg-query';
import { find, type Migration, type Statement, statementsOf } from './read.ts';

/** All sends wait for a migration that waits for a lock, up to this long. */
const LOCK_TIMEOUT_MAX_MS = 500;

/** Tables that sends use, in the order in which a migration locks them, after all others. Sends read `profiles`. */
const SEND_TABLES = [
  'webhook_deliveries',
  'webhook_endpoints',
  'visitor_mails',
  'push_subscriptions',
  'push_due',
  'media',
  'blocks',
  'devices',
  'figures_fresh',
  'messages',
  'conversations',
  'brand',
  'profiles',
];

/** The meaning of each finding and the alternative. docs/migrations.md explains the reasons. */
export const rules = {
  drop: 'the previous release still uses it: stop using it, release, and drop it one release later with a comment "unused since <version>"',
  rename: 'the previous release knows the old name: add the new one beside it',
  retype:
    'rewrites the table, and the previous release expects the old type: add a column of the new type beside it',
  notNull: 'the previous release does not fill it: give it a default, or leave it nullable',
  rewrite: 'rewrites the whole table: add the column with a constant default, and fill it in steps',
  validate:
    'reads the whole table under a lock: add it NOT VALID, and validate it in a migration without a transaction',
  index:
    'blocks every write while it is built: CREATE INDEX CONCURRENTLY, in a migration without a transaction',
  lockTimeout:
    "waits for all transactions, and all later ones wait for it: use set local lock_timeout = '300ms' before it",
  order: `sends would wait while the migration waits for the next lock: lock other tables first, then ${SEND_TABLES.join(', ')}`,
  long: 'keeps its locks while it works: in a migration without a transaction, in steps with a commit after each',
  unknown: 'its effect on a running release is unknown: add it to tools/migrations/lint.ts',
} as const;
export type Rule = keyof typeof rules;
export type Finding = { rule: Rule; what: string };

/** Kinds of statements that do not affect a running release. */
const HARMLESS = [
  'CreateFunctionStmt',
  'CommentStmt',
  'CreateSeqStmt',
  'CreateExtensionStmt',
  'CreateEnumStmt',
  'ViewStmt',
];
/** Changes of a table that hold its lock only briefly. */
const MOMENTARY = [
  'AT_DropNotNull',
  'AT_SetRelOptions',
  'AT_SetStatistics',
  'AT_EnableTrig',
  'AT_DisableTrig',
];

/** Finds statements that would harm the previous release, which is still running, or its users. */
export function lintMigration(migration: Migration, releases: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  const report = (rule: Rule, what: string): void => void findings.push({ rule, what });
  const [, since] = /unused since (\d+\.\d+\.\d+)/.exec(migration.text) ?? [];
  const unused = since !== undefined && releases.includes(since);
  const made = new Set<string>();
  let patient = true;
  let locked = -1;

  const isOld = (table: RangeVar | undefined): boolean => !made.has(table?.relname ?? '');
  const locks = (what: string, table?: RangeVar): void => {
    if (patient) report('lockTimeout', what);
    const place = SEND_TABLES.indexOf(table?.relname ?? '');
    if (place < locked) report('order', what);
    locked = Math.max(locked, place);
  };
  const drop = (what: string): void => {
    if (!unused) report('drop', what);
  };

  function checkStatement({ kind, body, inSteps }: Statement): void {
    const table = body.relation as RangeVar | undefined;
    switch (kind) {
      case 'VariableSetStmt':
        if (body.name === 'lock_timeout') patient = !isShort(find(body, ['A_Const'])[0]);
        return;
      case 'CreateStmt':
        made.add(table?.relname ?? '');
        for (const other of find(body, ['pktable']) as RangeVar[])
          if (isOld(other)) locks(`a reference to ${other.relname}`, other);
        return;
      case 'AlterTableStmt':
        if (!isOld(table)) return;
        locks(`alter table ${table?.relname}`, table);
        for (const command of find(body.cmds, ['AlterTableCmd']) as AlterTableCmd[]) checkCommand(command);
        return;
      case 'IndexStmt': {
        const { concurrent, idxname } = body as IndexStmt;
        if (isOld(table) && (concurrent !== true || migration.inTransaction))
          report('index', `index ${idxname}`);
        return;
      }
      case 'DropStmt': {
        const { removeType, concurrent } = body as DropStmt;
        if (removeType !== 'OBJECT_INDEX') {
          locks('drop');
          drop(`drop ${removeType?.replace('OBJECT_', '').toLowerCase()}`);
        } else if (concurrent !== true) report('index', 'drop index');
        return;
      }
      case 'CreateTrigStmt':
        if (isOld(table)) locks(`a trigger on ${table?.relname}`, table);
        return;
      case 'RenameStmt':
      case 'AlterObjectSchemaStmt':
        report('rename', String(body.newname ?? body.newschema));
        return;
      case 'InsertStmt':
        if (inSteps || find(body, ['fromClause']).length === 0) return;
        report('long', 'insert … select');
        return;
      case 'SelectStmt': {
        const [setting, value] = find(body, ['A_Const']) as { sval?: { sval?: string } }[];
        if (setting?.sval?.sval === 'lock_timeout') patient = !isShort(value);
        else if (!inSteps) report('long', 'select');
        return;
      }
      case 'UpdateStmt':
      case 'DeleteStmt':
        if (!inSteps && isOld(table)) report('long', kind === 'UpdateStmt' ? 'update' : 'delete');
        return;
      case 'LockStmt':
      case 'TruncateStmt':
      case 'VacuumStmt':
      case 'ClusterStmt':
        report('long', kind.replace('Stmt', '').toLowerCase());
        return;
      default:
        if (!HARMLESS.includes(kind)) report('unknown', kind);
    }
  }

  function checkCommand({ subtype = 'AT_AddColumn', name, def }: AlterTableCmd): void {
    const constraint = def !== undefined && 'Constraint' in def ? def.Constraint : undefined;
    switch (subtype) {
      case 'AT_AddColumn':
        if (def !== undefined && 'ColumnDef' in def) checkColumn(def.ColumnDef);
        return;
      case 'AT_AddConstraint':
        if (constraint?.skip_validation !== true && constraint?.indexname === undefined)
          report('validate', `constraint ${constraint?.conname}`);
        return;
      case 'AT_ValidateConstraint':
        if (migration.inTransaction) report('validate', `${name}`);
        return;
      case 'AT_AlterColumnType':
        report('retype', `${name}`);
        return;
      case 'AT_SetNotNull':
        report('notNull', `${name}`);
        return;
      case 'AT_DropColumn':
      case 'AT_DropConstraint':
        drop(`${name}`);
        return;
      case 'AT_ColumnDefault':
        if (def === undefined) drop(`the default of ${name}`);
        return;
      default:
        if (!MOMENTARY.includes(subtype)) report('unknown', subtype);
    }
  }

  function checkColumn({ colname, constraints = [] }: ColumnDef): void {
    const all = find(constraints, ['Constraint']) as Constraint[];
    const given = all.find(({ contype }) => contype === 'CONSTR_DEFAULT');
    for (const { contype } of all) {
      if (contype === 'CONSTR_NOTNULL' && given === undefined) report('notNull', `${colname}`);
      if (contype === 'CONSTR_GENERATED' || contype === 'CONSTR_IDENTITY') report('rewrite', `${colname}`);
      if (['CONSTR_CHECK', 'CONSTR_FOREIGN', 'CONSTR_UNIQUE', 'CONSTR_PRIMARY'].includes(`${contype}`))
        report('validate', `${colname}`);
    }
    // now() has one value for the whole statement. A default that differs per row must be written into each row.
    const calls = find(given, ['FuncCall']).filter((call) => !JSON.stringify(call).includes('"now"'));
    if (calls.length > 0) report('rewrite', `the default of ${colname}`);
  }

  for (const call of migration.calls) {
    for (const statement of statementsOf(call, (why) => report('unknown', why))) checkStatement(statement);
    if (!migration.inTransaction) locked = -1;
  }
  return findings;
}

function isShort(value: unknown): boolean {
  const { ival, sval } = (value ?? {}) as { ival?: { ival?: number }; sval?: { sval?: string } };
  const [, number, unit] = /^(\d+)\s*(ms|s)?$/.exec(sval?.sval ?? String(ival?.ival ?? 0)) ?? [];
  const ms = Number(number ?? 0) * (unit === 's' ? 1_000 : 1);
  return ms > 0 && ms <= LOCK_TIMEOUT_MAX_MS;
}
