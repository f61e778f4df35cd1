import { randomUUID } from 'node:crypto';
import { INVITE_IMPORT_MAX, INVITES_AT_ONCE } from '@settee/protocol/model/managedInvite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSize } from '../../tools/fullSize.ts';
import type { Db } from '../src/db/engine/query.ts';
import { type AfterInvite, type Chosen, readInvitePage } from '../src/db/invite/inviteAdmin.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createAdministrator, createStaff, type Person } from './people.ts';

const MANY = fullSize(10_000, 100_000);
const AT_ONCE = 5_000;
/** Disk pages that one page of the list may read with an index. A scan of the table reads hundreds. */
const PAGES_MAX = 120;
/** Time on the server for any page of any filter. A busy machine gets more attempts. */
const LISTED_WITHIN_MS = 300;
const TRIES = 20;

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer();
  admin = await createAdministrator(server);
  await createStaff(server, 'mara-east');
  await createStaff(server, 'mara-west');
});
afterAll(() => server.close());

test('an import of 10,000 is created in chunks', async () => {
  const batchId = randomUUID();
  for (let from = 0; from < INVITE_IMPORT_MAX; from += INVITES_AT_ONCE) {
    const invites = Array.from({ length: INVITES_AT_ONCE }, (_, index) => ({
      id: randomUUID(),
      label: `Import, no. ${from + index + 1}`,
      alias: 'mara-east',
      days: 30,
      keepDays: null,
    }));
    expect((await admin.call('POST', '/manage/invites', { batchId, attempt: 1, invites })).status).toBe(200);
  }
  const { rows } = await server.app.db.pool.query(
    `select (select count(*)::integer from invites where batch_id = $1) as made,
       (select count(*)::integer from audit where target = $1::text) as lines`,
    [batchId],
  );
  expect(rows).toEqual([{ made: INVITE_IMPORT_MAX, lines: INVITE_IMPORT_MAX / INVITES_AT_ONCE }]);
});

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
};

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** How PostgreSQL reads the table of invites for one page of the list. */
async function costOf(chosen: Chosen, after: AfterInvite | undefined) {
  const plans: Plan[] = [];
  const explaining: Db = {
    async query(config) {
      const { rows } = await server.app.db.query({
        text: `explain (analyze, buffers, format json) ${config.text}`,
        values: config.values ?? [],
      });
      plans.push(rows[0]['QUERY PLAN'][0].Plan as Plan);
      return { command: '', fields: [], oid: 0, rowCount: 0, rows: [] };
    },
  };
  await readInvitePage(explaining, chosen, after);
  const nodes = plans.flatMap(nodesOf);
  const reading = nodes.filter((node) => node['Relation Name'] === 'invites');
  const pages = reading.reduce(
    (sum, node) => sum + node['Shared Hit Blocks'] + node['Shared Read Blocks'],
    0,
  );
  return { pages, plan: nodes.map((node) => node['Index Name'] ?? node['Node Type']).join(', ') };
}

test(`with ${MANY} invites every page of the list reads few pages and loads quickly`, async () => {
  for (let from = 0; from < MANY; from += AT_ONCE) {
    await server.app.db.pool.query(
      `insert into invites (token_hash, label, handler_alias, state, created_at, expires_at)
       select sha256(n::text::bytea), 'Lyon reading, no. ' || n,
         case when n % 50 = 0 then 'mara-west' else 'mara-east' end,
         coalesce((array['SEEN', 'BOUND', 'REVOKED'])[1 + n % 40], 'NEW'), now() - n * interval '1 second',
         now() + (n % 60 - 10) * interval '1 day'
       from generate_series($1::integer + 1, $2::integer) n`,
      [from, from + AT_ONCE],
    );
  }
  await server.asOwner('vacuum (analyze) invites');
  const later = { createdAt: String((Date.now() - 60_000_000) * 1_000), id: randomUUID() };
  const queries: { chosen: Chosen; after?: AfterInvite; indexed?: false }[] = [
    { chosen: {} },
    { chosen: { state: 'REVOKED' } },
    // Reads from the newest invite on until it has a page of expired ones.
    { chosen: { state: 'EXPIRED' }, indexed: false },
    { chosen: { alias: 'mara-west' } },
    { chosen: { alias: 'mara-west', state: 'NEW' } },
    { chosen: { search: 'no. 99999' } },
    { chosen: { search: 'reading', state: 'BOUND' } },
    { chosen: { search: 'nothing has this' } },
    { chosen: { search: 'no', alias: 'mara-west' }, after: later },
  ];
  for (const { chosen, after, indexed = true } of queries) {
    const { pages, plan } = await costOf(chosen, after);
    if (indexed) expect(pages, `${JSON.stringify(chosen)}: ${plan}`).toBeLessThan(PAGES_MAX);
    const before = after && { before: `${after.createdAt}_${after.id}` };
    const query = new URLSearchParams({ ...chosen, ...before } as Record<string, string>);
    let best = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && best >= LISTED_WITHIN_MS; tries += 1) {
      const began = performance.now();
      const { status } = await admin.call('GET', `/manage/invites?${query}`);
      expect(status).toBe(200);
      best = Math.min(best, performance.now() - began);
    }
    expect(best, String(query)).toBeLessThan(LISTED_WITHIN_MS);
  }
});
