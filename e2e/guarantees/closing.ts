import { setTimeout as sleep } from 'node:timers/promises';
import { CLOSE_FINAL, CLOSE_UNAUTHENTICATED } from '@settee/protocol/frames/down';
import {
  type SignedIn,
  seedConversations,
  signInAdministrator,
  signInHandler,
  signInStaff,
  signInVisitor,
} from '../../bench/src/people.ts';
import { fullSize } from '../../tools/fullSize.ts';
import { quantile } from '../proof/quantile.ts';
import { Stalls } from '../proof/stalls.ts';
import { until } from '../proof/until.ts';
import { openSocket } from './liveSocket.ts';
import type { Report } from './report.ts';
import { DESKS, type Place, type Stage } from './stage.ts';

const SOCKETS = fullSize(100, 500);
const BYSTANDERS = 20;
const CLOSED_WITHIN_MS = 5_000;
const CALLS_AT_ONCE = 8;
const CALL_WITHIN_MS = 120_000;
const [DESK = '', OTHER_DESK = ''] = DESKS;

const kinds = ['revoke', 'block', 'sign-out', 'demotion'] as const;
type Kind = (typeof kinds)[number];
type Call = { method: string; path: string; body?: object; token: string };
type Target = { kind: Kind; socket: Watched; call: Call };

const states = {
  health: 'in health',
  'without NATS': 'without NATS',
  failover: 'while PostgreSQL fails over',
} as const;
type State = keyof typeof states;

export async function closeSockets(stage: Stage, report: Report): Promise<void> {
  await closeIn('health', stage, report);
  await stage.nats.kill();
  await closeIn('without NATS', stage, report);
  await stage.nats.start();
  await closeDuringFailover(stage, report);
}

export async function closeDuringFailover(place: Place, report: Report): Promise<void> {
  await place.recovered();
  await closeIn('failover', place, report);
}

async function closeIn(state: State, stage: Place, report: Report): Promise<void> {
  const admin = await signInAdministrator(stage.signing, stage.database);
  const handler = await signInHandler(stage.signing, stage.database, DESK, []);
  const targets = await openTargets(stage, { admin, handler: handler.token });
  const bystanders = await openBystanders(stage, handler);
  const outage = { began: Number.POSITIVE_INFINITY, ended: Number.NEGATIVE_INFINITY };
  const calledAt = new Map<Target, number>();
  const stalls = new Stalls();
  const failOver = async (): Promise<void> => {
    await until(() => calledAt.size >= SOCKETS / 4, CALL_WITHIN_MS);
    outage.began = performance.now();
    await stage.failOver();
    outage.ended = performance.now();
  };
  await Promise.all([
    state === 'failover' ? failOver() : undefined,
    inTurns(targets, async (target) => {
      calledAt.set(target, await callUntilAnswered(stage, target.call));
    }),
  ]);
  await until(() => targets.every(({ socket }) => socket.endedAt !== undefined), 4 * CLOSED_WITHIN_MS);

  const took = targets.map((target) => {
    const called = calledAt.get(target) ?? 0;
    const { endedAt = Number.POSITIVE_INFINITY } = target.socket;
    // Nobody can read who has access while PostgreSQL is away.
    const since = called < outage.ended && endedAt > outage.began ? outage.ended : called;
    return { kind: target.kind, ms: Math.max(0, stalls.without(since, endedAt)) };
  });
  const where =
    state === 'failover'
      ? ` (${stage.name}; away for ${((outage.ended - outage.began) / 1_000).toFixed(1)} s)`
      : '';
  for (const kind of kinds) {
    const of = took.filter((each) => each.kind === kind).map(({ ms }) => ms);
    report.figure(
      `${kind} ${states[state]}${where}: ${of.length} sockets, p50 ${quantile(of, 0.5).toFixed(0)} ms, slowest ${Math.max(...of).toFixed(0)} ms`,
    );
  }
  report.check(
    `[AUTH-03] [INVITE-21] ${states[state]}, ${targets.length} sockets lose their access within ${CLOSED_WITHIN_MS / 1_000} s of a revoke, block, sign-out or demotion`,
    took.filter(({ ms }) => !(ms <= CLOSED_WITHIN_MS)).map(({ kind, ms }) => `${kind}: ${ms.toFixed(0)} ms`),
  );
  report.check(`[AUTH-03] [INVITE-21] ${states[state]}, each of them learns why, and nobody else is closed`, [
    ...targets.flatMap(({ kind, socket }) =>
      socket.ended === ends[kind] ? [] : [`${kind}: ${socket.ended}`],
    ),
    ...bystanders.flatMap(({ ended }) => (ended === undefined ? [] : [`bystander: ${ended}`])),
  ]);
  for (const socket of [...targets.map((target) => target.socket), ...bystanders]) socket.leave();
}

/** A block looks like a closed conversation, so the socket stays open. */
const ends: Record<Kind, string> = {
  revoke: `closed ${CLOSE_FINAL}`,
  block: 'cannot send',
  'sign-out': `closed ${CLOSE_FINAL}`,
  demotion: `closed ${CLOSE_UNAUTHENTICATED}`,
};

async function openTargets(stage: Place, tokens: { admin: string; handler: string }): Promise<Target[]> {
  const { database } = stage;
  const each = SOCKETS / kinds.length;
  const claimed = await seedConversations(database, [DESK], Array<number>(2 * each).fill(0));
  const invites = await database.run<{ id: string; inviteId: string }>(
    'select id, invite_id as "inviteId" from conversations where id = any ($1)',
    [claimed.map(({ conversationId }) => conversationId)],
  );
  const inviteOf = new Map(invites.map(({ id, inviteId }) => [id, inviteId]));
  const ofVisitor = async (at: number, kind: 'revoke' | 'block'): Promise<Target> => {
    const visitor = claimed[at];
    if (visitor === undefined) throw new Error('too few conversations');
    const { conversationId } = visitor;
    const call =
      kind === 'revoke'
        ? post('/manage/invites/revoke', { ids: [inviteOf.get(conversationId)] }, tokens.admin)
        : {
            ...post(`/conversations/${conversationId}/status`, { status: 'blocked' }, tokens.handler),
            method: 'PUT',
          };
    return { kind, call, socket: await Watched.open(stage, at, await signInVisitor(stage.signing, visitor)) };
  };
  const ofStaff = async (at: number, kind: 'sign-out' | 'demotion'): Promise<Target> => {
    const role = kind === 'demotion' ? 'admin' : 'handler';
    const { token, staffId } = await signInStaff(stage.signing, database, { role, alias: DESK });
    const call =
      kind === 'sign-out'
        ? post(`/manage/staff/${staffId}/sign-out`, undefined, tokens.admin)
        : {
            ...post(`/manage/staff/${staffId}`, { person: { role: 'handler' } }, tokens.admin),
            method: 'PUT',
          };
    return { kind, call, socket: await Watched.open(stage, at, { token, conversationIds: [] }) };
  };
  const targets: Target[] = [];
  await inTurns(
    Array.from({ length: each }, (_, at) => at),
    async (at) => {
      targets.push(
        await ofVisitor(at, 'revoke'),
        await ofVisitor(each + at, 'block'),
        await ofStaff(at, 'sign-out'),
        await ofStaff(at, 'demotion'),
      );
    },
  );
  return targets;
}

async function openBystanders(stage: Place, handler: SignedIn): Promise<Watched[]> {
  const claimed = await seedConversations(stage.database, [OTHER_DESK], Array<number>(BYSTANDERS).fill(0));
  return Promise.all([
    ...stage.ports.map((_, at) => Watched.open(stage, at, handler)),
    ...claimed.map(async (each, at) => Watched.open(stage, at, await signInVisitor(stage.signing, each))),
  ]);
}

function post(path: string, body: object | undefined, token: string): Call {
  return { method: 'POST', path, token, ...(body && { body }) };
}

/** Repeats the call until it succeeds, like a person. Returns when that attempt began. */
async function callUntilAnswered(stage: Place, { method, path, body, token }: Call): Promise<number> {
  const deadline = performance.now() + CALL_WITHIN_MS;
  for (;;) {
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${stage.ports[0]}${path}`, {
      method,
      headers: {
        origin: stage.origin,
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    }).catch((error: unknown) => ({ status: 0, text: () => String(error) }));
    const text = await answer.text();
    if (answer.status === 200) return began;
    if (answer.status !== 0 && answer.status < 500)
      throw new Error(`${path} answered ${answer.status} ${text}`);
    if (performance.now() > deadline) throw new Error(`${path} keeps failing: ${answer.status} ${text}`);
    await sleep(200);
  }
}

async function inTurns<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
}

/** A page's socket, which notes when and how it lost its access. */
class Watched {
  endedAt: number | undefined;
  ended: string | undefined;
  leave = (): void => {};

  /** At the gateways in turn. */
  static async open(stage: Place, at: number, person: SignedIn): Promise<Watched> {
    const watched = new Watched();
    const port = stage.ports[at % stage.ports.length] ?? 0;
    const { leave } = await openSocket(stage, port, person, {
      frame(frame) {
        if (frame.type === 'conversation' && 'canSend' in frame.conversation && !frame.conversation.canSend)
          watched.#end('cannot send');
      },
      closed: (code) => watched.#end(`closed ${code}`),
    });
    watched.leave = leave;
    return watched;
  }

  #end(how: string): void {
    if (this.ended !== undefined) return;
    this.ended = how;
    this.endedAt = performance.now();
  }
}
