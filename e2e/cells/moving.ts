import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkFile } from '../proof/check.ts';
import type { Verdict } from '../proof/checker.ts';
import { query } from '../proof/database.ts';
import { readEverything } from '../proof/reading.ts';
import { Recorder } from '../proof/recorder.ts';
import { until } from '../proof/until.ts';
import { Browser } from '../proof/world.ts';
import { refusedForGood } from './killing.ts';
import { bringPeople, type People } from './people.ts';
import { type Cell, ORIGIN, ROOT, type Stage } from './stage.ts';
import { FAST, FLOW_WITHIN_MS, type RunOutput, startRun, startWriting } from './writing.ts';

const execute = promisify(execFile);
const THINK_MS = 300;

export const moveProperties = {
  arrive: '[CELL-08] before the move, everyone is connected and messages flow',
  follow: '[CELL-08] every page of the moved desk follows to the other cell, and sends what waited',
  clients: '[CELL-08] no page of the moved desk shows an error or is signed out',
  others: '[CELL-08] other desks keep every connection',
  links: '[CELL-08] old links, continue codes and cookies work in the other cell',
  left: '[CELL-08] nothing of the desk is left in the first cell, and both audit logs have the move',
} as const;
type MoveProperty = keyof typeof moveProperties;

export type MoveResult = { verdict: Verdict; live: Record<MoveProperty, string[]>; said: string };

/** Moves a desk from the first cell to the second while everyone writes. */
export async function moveOne(
  stage: Stage,
  size: { chatsPerDesk: number; messages: number; ended: number; seed: number },
  { historyPath, log }: RunOutput,
): Promise<MoveResult> {
  const run = startRun(historyPath, size);
  const { random, history } = run;
  const [from, to] = stage.cells;
  const recorders = {
    moving: new Recorder(history),
    staying: new Recorder(history),
    there: new Recorder(history),
  };
  const bring = (cell: Cell, name: keyof typeof recorders): Promise<People> =>
    bringPeople(stage, cell, {
      ...{ ...size, desks: 1, random, recorder: recorders[name], prefix: name },
      speed: name === 'moving' ? FAST : 1,
    });
  const moving = await bring(from, 'moving');
  const others = [await bring(from, 'staying'), await bring(to, 'there')];
  const all = [moving, ...others];
  const live: Record<MoveProperty, string[]> = {
    ...{ arrive: [], follow: [], clients: [], others: [], links: [], left: [] },
  };
  const [desk] = moving.desks;
  if (desk === undefined) throw new Error('there is no desk to move');
  await addEnded(from, desk.alias, size.ended);
  const invites = await Promise.all([from, from].map(({ env }) => createInvite(env, desk.alias)));
  const claimed = await claim(stage, invites[0] ?? '');
  const stopWriting = startWriting(
    run,
    all.map((people, at) => ({ people, recorder: Object.values(recorders)[at] as Recorder })),
    THINK_MS,
  );
  try {
    const flows = await until(
      () => Object.values(recorders).every(({ ackedCount }) => ackedCount >= size.messages / 3),
      FLOW_WITHIN_MS,
    );
    if (!flows)
      live.arrive.push(
        Object.values(recorders)
          .map(({ ackedCount }) => ackedCount)
          .join(', '),
      );
    const said = await moveDesk(desk.alias, from, to);
    log(said.trim().split('\n').at(-1) ?? '');
    // Every device has sent in the other cell, so none stayed behind.
    const switched = performance.now();
    const follows = (): boolean =>
      moving.devices.every((device) => recorders.moving.ackedSince(device, switched));
    if (!(await until(follows, FLOW_WITHIN_MS)))
      live.follow.push(
        ...moving.devices
          .filter((device) => !recorders.moving.ackedSince(device, switched))
          .map((device) => device.describe()),
      );
    stopWriting();
    for (const [at, { devices }] of all.entries()) {
      const head = (device: (typeof devices)[number]): number =>
        Object.values(recorders)[at]?.head(device.conversation) ?? 0;
      const unfinished = () =>
        devices.filter((device) => !device.isIdle() || device.lastSeq() < head(device));
      if (!(await until(() => unfinished().length === 0, FLOW_WITHIN_MS)))
        live.follow.push(...unfinished().map((device) => device.describe()));
    }
    live.clients.push(...moving.lines.failures, ...refusedForGood(recorders.moving));
    live.others.push(...others.flatMap(({ lines }) => lines.failures));
    for (const { lines, cell } of others) {
      if (lines.lostCount > 0) live.others.push(`${lines.lostCount} sockets of ${cell.tag} were closed`);
    }
    live.others.push(...refusedForGood(recorders.staying), ...refusedForGood(recorders.there));
    live.links.push(...(await checkLinks(stage, invites, claimed)));
    live.left.push(...(await leftovers(from, to, desk.alias)));
    for (const chat of desk.chats) chat.firstToken = chat.first.token;
    for (const { desks, devices, cell } of all) {
      const home = desks === moving.desks ? to : cell;
      const source = { databaseUrl: home.databaseUrl, gatewayPorts: [home.port] };
      await readEverything({ from: source, desks, devices, history, random: random.fork('reading') });
    }
    await history.close();
    return { verdict: await checkFile(historyPath), live, said };
  } finally {
    stopWriting();
    for (const { devices } of all) for (const device of devices) device.stop();
  }
}

/** Ended conversations with 20 messages each, which nobody opens. */
async function addEnded({ databaseUrl }: Cell, alias: string, count: number): Promise<void> {
  await query(
    databaseUrl,
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
  const file = join(ROOT, '.settee', `cells-${to.tag}`, 'environment');
  writeFileSync(
    file,
    Object.entries(to.ownerEnv)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(''),
    {
      mode: 0o600,
    },
  );
  return settee(from.ownerEnv, 'desk', 'move', '--alias', alias, '--to', file);
}

async function settee(env: Record<string, string>, ...args: string[]): Promise<string> {
  const cli = join(ROOT, 'server/src/cli.ts');
  const { stdout } = await execute(process.execPath, [cli, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  return stdout;
}

async function createInvite(env: Record<string, string>, alias: string): Promise<string> {
  const link = (await settee(env, 'invite', 'create', '--alias', alias)).trim();
  return link.slice(link.lastIndexOf('/') + 1);
}

type Claimed = { browser: Browser; conversationId: string; code: string };

/** Starts a chat and leaves. */
async function claim({ router }: Stage, token: string): Promise<Claimed> {
  const browser = new Browser(ORIGIN, router.port);
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
  { router, cells: [, to] }: Stage,
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
    const second = new Browser(ORIGIN, router.port);
    await second.open(`/i/${old}`);
    await twice(() => second.call(`/checkInvite/${old}`, undefined, 'GET'));
    await second.call('/auth/anonymous');
    const attached = await second.call('/attachInvite', { token: old, code, csrf: '1' });
    expect(attached.conversationId === conversationId, 'the old continue code does not attach a device');
    const newcomer = new Browser(ORIGIN, router.port);
    await newcomer.open(`/i/${unused}`);
    await twice(() => newcomer.call(`/checkInvite/${unused}`, undefined, 'GET'));
    await newcomer.call('/auth/anonymous');
    const { conversationId: fresh } = await newcomer.call('/claimInvite', { token: unused, csrf: '1' });
    const [row] = await query(to.databaseUrl, 'select 1 from conversations where id = $1', [fresh]);
    expect(row !== undefined, 'the new chat is not in the other cell');
  } catch (error) {
    found.push(String(error));
  }
  return found;
}

async function leftovers(from: Cell, to: Cell, alias: string): Promise<string[]> {
  const count = async (cell: Cell, text: string): Promise<number> => {
    const [row] = await query(cell.databaseUrl, `select count(*)::integer from ${text}`, [alias]);
    return Number(row?.[0]);
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
