import type { TestServer } from '../support/harness.ts';

export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

/** Every step of the executed plan. */
export async function explain(
  server: TestServer,
  settings: string,
  query: string,
  values: unknown[],
): Promise<PlanNode[]> {
  const client = await server.app.db.pool.connect();
  await client.query(`begin; ${settings}`);
  const { rows } = await client.query(`explain (analyze, format json) ${query}`, values);
  await client.query('rollback');
  client.release();
  const nodes: PlanNode[] = [];
  const walk = (node: PlanNode): void => {
    nodes.push(node);
    for (const child of node.Plans ?? []) walk(child);
  };
  walk(rows[0]['QUERY PLAN'][0].Plan);
  return nodes;
}
