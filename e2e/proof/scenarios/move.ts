import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Findings, loadChecks, type Run, type Scenario, underLoad } from '../scenario.ts';
import { bringPeople, type Cell, type Cells, startCells } from '../topology/cells.ts';
import { ROOT } from '../topology/installation.ts';
import { settee } from '../topology/releases.ts';
import { startRouter } from '../topology/router.ts';
import { until } from '../world/time.ts';
import { Browser } from '../world/world.ts';

const FAST = 5;

/** Moves a desk from the first cell to the second while everyone writes. */
async function prove(place: Cells, run: Run): Promise<Findings> {
  const messages = run.size(60, 5_000);
  const [from, to] = place.cells;
  const found: Record<'routes' | 'arrive' | 'follow' | 'others' | 'links' | 'left', string[]> = {
    ...{ routes: await checkRoutes(), arrive: [], follow: [], others: [], links: [], left: [] },
  };
  let alias = '';
  let invites: string[] = [];
  let claimed: Claimed | undefined;
  const findings = await underLoad(run, {
    wanted: { sends: 2 * messages, faults: 0 },
    thinkMs: 300,
    async arrive(parts) {
      const size = { ...parts, desks: 1, chatsPerDesk: run.size(2, 40) };
      const moving = await bringPeople(place, from, { ...size, prefix: 'moving', speed: FAST });
      // The others must not lose patience with a slow machine.
      const staying = await bringPeople(place, from, { ...size, prefix: 'staying', speed: 1 });
      const there = await bringPeople(place, to, { ...size, prefix: 'there', speed: 1 });
      alias = moving.desks[0]?.alias ?? '';
      await addEnded(from, alias, run.size(20, 5_000));
      invites = [await createInvite(from.env, alias), await createInvite(from.env, alias)];
      claimed = await claim(place, invites[0] ?? '');
      return [moving, staying, there];
    },
    async act({ crowds: [moving, ...others], recorder }) {
      if (moving === undefined) throw new Error('nobody came');
      for (const { devices } of [moving, ...others])
        if (!(await until(() => recorder.ackedOf(devices) >= messages / 3)))
          found.arrive.push(`${recorder.ackedOf(devices)} messages`);
      const said = await moveDesk(alias, from, to);
      run.report.figure(said.trim().split('\n').at(-1) ?? '');
      // Every device has sent in the other cell, so none stayed behind.
      const switched = performance.now();
      const behind = () => moving.devices.filter((device) => !recorder.ackedSince(device, switched));
      if (!(await until(() => behind().length === 0)))
        found.follow.push(...behind().map((device) => device.describe()));
      Object.assign(moving.from, { databaseUrl: to.database.url, gatewayPorts: [to.port] });
      for (const { connections, desks } of others)
        if (connections.lostCount > 0)
          found.others.push(`${connections.lostCount} sockets of ${desks[0]?.alias} were closed`);
    },
    async afterRest() {
      if (claimed !== undefined) found.links.push(...(await checkLinks(place, invites, claimed)));
      found.left.push(...(await leftovers(from, to, alias)));
    },
  });
  return { ...findings, ...found };
}

/** Ended conversations with 20 messages each, which nobody opens. */
async function addEnded({ database }: Cell, alias: string, count: number): Promise<void> {
  await database.run(
    `with i as (
       insert into invites (token_hash, handler_alias, state, expires_at, seen_at, bound_at)
       select sha256(gen_random_uuid()::text::bytea), $1, 'BOUND', now(), now(), now() from generate_series(1, $2::integer)
       returning id
     ), c as (
       insert into conversations (invite_id, handler_alias, visitor_id, status, closed_at, last_seq)
       select id, $1, gen_random_uuid(), 'closed', now(), 20 from i
       returning id, visitor_id
     ), d as (
       insert into devices (conversation_id, visitor_id, credential, first)
       select id, visitor_id, sha256(visitor_id::text::bytea), true from c
     )
     insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
     select c.id, s, gen_random_uuid(), s % 2 = 0, c.visitor_id, now(), 'message ' || s || ' of an ended conversation'
     from c cross join generate_series(1, 20) as s`,
    [alias, count],
  );
}

async function moveDesk(alias: string, from: Cell, to: Cell): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'settee-move-'));
  const file = join(folder, 'environment');
  const lines = Object.entries(to.ownerEnv).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  try {
    return await settee(ROOT, from.ownerEnv, ['desk', 'move', '--alias', alias, '--to', file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function createInvite(env: Record<string, string>, alias: string): Promise<string> {
  const link = (await settee(ROOT, env, ['invite', 'create', '--alias', alias])).trim();
  return link.slice(link.lastIndexOf('/') + 1);
}

type Claimed = { browser: Browser; conversationId: string; code: string };

/** Starts a chat and leaves. */
async function claim({ router, origin }: Cells, token: string): Promise<Claimed> {
  const browser = new Browser(origin, router.port);
  await browser.open(`/i/${token}`);
  await browser.call('/auth/anonymous');
  const { conversationId, continueCode } = await browser.call('/claimInvite', { token, csrf: '1' });
  await browser.call('/auth/anonymous');
  await browser.call(`/conversations/${String(conversationId)}/messages`, {
    id: '5e77ee00-0000-4000-8000-000000000001',
    text: 'before the move',
  });
  return { browser, conversationId: String(conversationId), code: String(continueCode) };
}

async function checkLinks(
  { router, origin, cells: [, to] }: Cells,
  [old = '', unused = '']: string[],
  { browser, conversationId, code }: Claimed,
): Promise<string[]> {
  const found: string[] = [];
  const expect = (holds: boolean, what: string): void => {
    if (!holds) found.push(what);
  };
  /** The first answer sends the browser to the other cell, the second one comes from there. */
  const twice = async (act: () => Promise<Record<string, unknown>>): Promise<Record<string, unknown>> =>
    act().catch(act);
  try {
    // A visitor who was away: the cookies are those of the first cell.
    await twice(() => browser.call('/auth/anonymous'));
    const back = await browser.call(`/conversations/${conversationId}/messages`, undefined, 'GET');
    expect(JSON.stringify(back).includes('before the move'), 'the old cookie does not open the chat');
    const second = new Browser(origin, router.port);
    await second.open(`/i/${old}`);
    await twice(() => second.call(`/checkInvite/${old}`, undefined, 'GET'));
    await second.call('/auth/anonymous');
    const attached = await second.call('/attachInvite', { token: old, code, csrf: '1' });
    expect(attached.conversationId === conversationId, 'the old continue code does not attach a device');
    const newcomer = new Browser(origin, router.port);
    await newcomer.open(`/i/${unused}`);
    await twice(() => newcomer.call(`/checkInvite/${unused}`, undefined, 'GET'));
    await newcomer.call('/auth/anonymous');
    const { conversationId: fresh } = await newcomer.call('/claimInvite', { token: unused, csrf: '1' });
    const rows = await to.database.run('select 1 from conversations where id = $1', [fresh]);
    expect(rows.length === 1, 'the new chat is not in the other cell');
  } catch (error) {
    found.push(String(error));
  }
  return found;
}

async function leftovers(from: Cell, to: Cell, alias: string): Promise<string[]> {
  const count = async (cell: Cell, text: string): Promise<number> => {
    const [row] = await cell.database.run<{ count: number }>(`select count(*)::integer from ${text}`, [
      alias,
    ]);
    return Number(row?.count);
  };
  const expected: [what: string, found: number, expected: number][] = [
    ['conversations', await count(from, 'conversations where handler_alias = $1'), 0],
    ['invites', await count(from, 'invites where handler_alias = $1'), 0],
    ['people', await count(from, 'staff where alias = $1'), 0],
    [
      'messages without a conversation',
      await count(
        from,
        "messages m where $1 <> '' and not exists (select from conversations c where c.id = m.conversation_id)",
      ),
      0,
    ],
    ['triggers', await count(from, "pg_trigger where tgname = 'leaving' and $1 <> ''"), 0],
    ['unfinished arrivals', await count(to, 'arriving_desks where alias = $1'), 0],
    [
      'audit entries of the first cell',
      await count(from, "audit where action = 'desk.move' and target = $1"),
      1,
    ],
    [
      'audit entries of the other cell',
      await count(to, "audit where action = 'desk.arrive' and target = $1"),
      1,
    ],
  ];
  return expected
    .filter(([, found, wanted]) => found !== wanted)
    .map(([what, found, wanted]) => `${found} ${what}, expected ${wanted}`);
}

const TOKEN = 'x'.repeat(32);

/** A request, the cell that must answer, and whether the browser keeps this cell from now on. */
type Case = [what: string, path: string, cookie: string, cell: string, kept: boolean];

const cases: Case[] = [
  ['an invite link', `/i/b7${TOKEN}`, '', 'b7', true],
  ['an invite link, not the cookie', `/i/a0${TOKEN}`, cellCookie('b7'), 'a0', true],
  ['a link for staff', '/handler?cell=b7', '', 'b7', true],
  ['a link for staff, not the invite', `/i/a0${TOKEN}?cell=b7`, cellCookie('a0'), 'b7', true],
  ['the cookie', '/auth/anonymous', cellCookie('b7'), 'b7', false],
  ['the cookie among others', '/live', `x=a0; ${cellCookie('b7')}; y=a0`, 'b7', false],
  ['nothing', '/', '', 'a0', false],
  ['an unknown cell in the cookie', '/', cellCookie('zz'), 'a0', false],
  ['an unknown cell in the link', `/i/zz${TOKEN}`, cellCookie('b7'), 'a0', false],
  ['a cookie with more than a cell', '/', cellCookie('b7b7'), 'a0', false],
  ['a path that ends like a cookie', '/brand%7Cb7', '', 'a0', false],
];

/** Sends requests through the router to two servers that answer with their names. Returns what is wrong. */
async function checkRoutes(): Promise<string[]> {
  const servers = await Promise.all(['a0', 'b7'].map(echo));
  const router = await startRouter(servers);
  try {
    const found: string[] = [];
    for (const [what, path, cookie, cell, kept] of cases) {
      const response = await fetch(`http://127.0.0.1:${router.port}${path}`, { headers: { cookie } });
      const expected = { cell, cookies: ['of the cell', ...(kept ? [keptCookie(cell)] : [])].toSorted() };
      const got = { cell: await response.text(), cookies: response.headers.getSetCookie().toSorted() };
      if (JSON.stringify(got) !== JSON.stringify(expected)) found.push(`${what}: ${JSON.stringify(got)}`);
    }
    return found;
  } finally {
    await router.stop();
    for (const { server } of servers) server.close();
  }
}

async function echo(tag: string): Promise<{ tag: string; port: number; server: Server }> {
  const server = createServer((_request, answer) => {
    answer.setHeader('set-cookie', 'of the cell');
    answer.end(tag);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { tag, port: (server.address() as AddressInfo).port, server };
}

function cellCookie(tag: string): string {
  return `__Host-settee-cell=${tag}`;
}

function keptCookie(tag: string): string {
  return `${cellCookie(tag)}; Path=/; Max-Age=34560000; Secure; HttpOnly; SameSite=Lax`;
}

export const scenario: Scenario<Cells> = {
  what: 'a desk moves to another cell while people write',
  ci: 'beside',
  topology: (run) => startCells(run.instance),
  prove,
  checks: {
    ...loadChecks,
    clients: `[CELL-08] ${loadChecks.clients}`,
    routes: 'the router reads the cell of links and cookies',
    arrive: 'everyone of two cells is connected through one address, and messages flow',
    follow: '[CELL-08] every page of the moved desk follows to the other cell, and sends what waited',
    others: '[CELL-08] other desks keep every connection',
    links: '[CELL-08] old links, continue codes and cookies work in the other cell',
    left: '[CELL-08] nothing of the desk is left in the first cell, and both audit logs have the move',
  },
};
