import { loadModule, type Node, parsePlPgSQLSync, parseSync } from 'libpg-query';

await loadModule();

/** One statement, with its kind in PostgreSQL's grammar. */
export type Statement = {
  kind: string;
  body: Record<string, unknown>;
  /** Inside a `do` block that commits in between. */
  inSteps: boolean;
};

/** The statements of one call, including those inside `do` blocks. Reports what it cannot parse. */
export function statementsOf(sql: string, unreadable: (why: string) => void): Statement[] {
  return (parseSync(sql).stmts ?? []).flatMap(({ stmt, stmt_location = 0, stmt_len }) => {
    if (stmt === undefined) return [];
    const one = unwrap(stmt);
    if (one.kind !== 'DoStmt') return [one];
    const bytes = Buffer.from(sql).subarray(stmt_location, stmt_len && stmt_location + stmt_len);
    return insideOf(bytes.toString(), unreadable);
  });
}

function unwrap(node: Node, inSteps = false): Statement {
  const [[kind, body] = ['Nothing', {}]] = Object.entries(node);
  return { kind, body: body as Record<string, unknown>, inSteps };
}

const WITH_SQL = ['PLpgSQL_stmt_execsql', 'PLpgSQL_stmt_perform', 'PLpgSQL_stmt_fors'];

function insideOf(block: string, unreadable: (why: string) => void): Statement[] {
  const tree = parsePlPgSQLSync(block);
  const inSteps = find(tree, ['PLpgSQL_stmt_commit']).length > 0;
  if (find(tree, ['PLpgSQL_stmt_dynexecute']).length > 0) unreadable('text that is made while it runs');
  return find(tree, WITH_SQL).flatMap((statement) => {
    const { sqlstmt, expr, query } = statement as Record<string, Expression | undefined>;
    const text = (sqlstmt ?? expr ?? query)?.PLpgSQL_expr.query ?? '';
    return (parseSync(text).stmts ?? []).flatMap(({ stmt }) => (stmt ? unwrap(stmt, inSteps) : []));
  });
}

type Expression = { PLpgSQL_expr: { query: string } };

/** Every node of these kinds at any depth, in source order. */
export function find(tree: unknown, kinds: readonly string[]): unknown[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree as Record<string, unknown>).flatMap(([key, value]) => [
    ...(kinds.includes(key) ? [value] : []),
    ...find(value, kinds),
  ]);
}
