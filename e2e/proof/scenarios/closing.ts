import { setTimeout as sleep } from 'node:timers/promises';
import { CLOSE_FINAL, CLOSE_UNAUTHENTICATED } from '@settee/protocol/frames/down';
import {
  type SignedIn,
  seedConversations,
  signInAdministrator,
  signInHandler,
  signInStaff,
  signInVisitor,
} from '../../../bench/src/people.ts';
import type { Findings, Run, Scenario } from '../scenario.ts';
import { DESKS, type FailingOver, startFailingOver, startFailingRegion } from '../topology/failingOver.ts';
import { mustOpenSocket } from '../world/liveSocket.ts';
import { PATIENCE_MS, Stalls, spread, until } from '../world/time.ts';

const BYSTANDERS = 20;
/** Judged only at night. */
const CLOSED_WITHIN_MS = 5_000;
const CALLS_AT_ONCE = 8;
const CALL_WITHIN_MS = 120_000;
const [DESK = '', OTHER_DESK = ''] = DESKS;

const kinds = ['revoke', 'block', 'sign-out', 'demotion'] as const;
type Kind = (typeof kinds)[number];
type Call = { method: string; path: string; body?: object; token: string };
type Target = { kind: Kind; socket: Watched; call: Call };

/** Where the time of an access counts from. */
type State = 'in health' | 'without NATS' | 'while PostgreSQL fails over';

async function prove(place: FailingOver, run: Run): Promise<Findings> {
  const found = { health: await closeIn('in health', place, run) };
  await place.nats?.kill();
  const withoutNats = await closeIn('without NATS', place, run);
  await place.nats?.start();
  const failover = await closeIn('while PostgreSQL fails over', place, run);
  const all = { ...found, withoutNats, failover, ends: place.unexpectedEnds() };
  if (!run.full) return all;
  const region = await startFailingRegion();
  await region.recovered();
  const inRegion = await closeIn('while PostgreSQL fails over', region, run);
  await region.close();
  return { ...all, inRegion };
}

async function closeIn(state: State, place: FailingOver, run: Run): Promise<string[]> {
  const sockets = run.size(40, 500);
  const fails = state === 'while PostgreSQL fails over';
  const admin = await signInAdministrator(place.signing, place.database);
  const handler = await signInHandler(place.signing, place.database, DESK, []);
  const targets = await openTargets(place, sockets, { admin, handler: handler.token });
  const bystanders = await openBystanders(place, handler);
  const outage = { began: Number.POSITIVE_INFINITY, ended: Number.NEGATIVE_INFINITY };
  const calledAt = new Map<Target, number>();
  const stalls = new Stalls();
  const failOver = async (): Promise<void> => {
    await until(() => calledAt.size >= sockets / 4, CALL_WITHIN_MS);
    outage.began = performance.now();
    await place.failOver();
    outage.ended = performance.now();
  };
  await Promise.all([
    fails ? failOver() : undefined,
    inTurns(targets, async (target) => {
      calledAt.set(target, await callUntilAnswered(place, target.call));
    }),
  ]);
  const patienceMs = run.timed ? 4 * CLOSED_WITHIN_MS : PATIENCE_MS;
  await until(() => targets.every(({ socket }) => socket.endedAt !== undefined), patienceMs);
  const took = targets.map((target) => {
    const called = calledAt.get(target) ?? 0;
    const { endedAt = Number.POSITIVE_INFINITY } = target.socket;
    // Nobody can read who has access while PostgreSQL is away.
    const since = called < outage.ended && endedAt > outage.began ? outage.ended : called;
    return { kind: target.kind, ms: Math.max(0, stalls.without(since, endedAt)) };
  });
  const away = fails
    ? ` (${place.name}; away for ${((outage.ended - outage.began) / 1_000).toFixed(1)} s)`
    : '';
  for (const kind of kinds)
    run.report.figure(
      `${kind} ${state}${away}: ${spread(took.filter((each) => each.kind === kind).map(({ ms }) => ms))}`,
    );
  const late = took.filter(({ ms }) => run.timed && !(ms <= CLOSED_WITHIN_MS));
  const found = [
    ...late.map(({ kind, ms }) => `${kind}: ${ms.toFixed(0)} ms`),
    ...targets.flatMap(({ kind, socket }) =>
      socket.ended === ends[kind] ? [] : [`${kind}: ${socket.ended ?? 'the socket stayed'}`],
    ),
    ...bystanders.flatMap(({ ended }) => (ended === undefined ? [] : [`bystander: ${ended}`])),
  ];
  for (const socket of [...targets.map((target) => target.socket), ...bystanders]) socket.leave();
  return found;
}

/** A block looks like a closed conversation, so the socket stays open. */
const ends: Record<Kind, string> = {
  revoke: `closed ${CLOSE_FINAL}`,
  block: 'cannot send',
  'sign-out': `closed ${CLOSE_FINAL}`,
  demotion: `closed ${CLOSE_UNAUTHENTICATED}`,
};

async function openTargets(
  place: FailingOver,
  sockets: number,
  tokens: { admin: string; handler: string },
): Promise<Target[]> {
  const { database } = place;
  const each = sockets / kinds.length;
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
    return { kind, call, socket: await Watched.open(place, at, await signInVisitor(place.signing, visitor)) };
  };
  const ofStaff = async (at: number, kind: 'sign-out' | 'demotion'): Promise<Target> => {
    const role = kind === 'demotion' ? 'admin' : 'handler';
    const { token, staffId } = await signInStaff(place.signing, database, { role, alias: DESK });
    const call =
      kind === 'sign-out'
        ? post(`/manage/staff/${staffId}/sign-out`, undefined, tokens.admin)
        : {
            ...post(`/manage/staff/${staffId}`, { person: { role: 'handler' } }, tokens.admin),
            method: 'PUT',
          };
    return { kind, call, socket: await Watched.open(place, at, { token, conversationIds: [] }) };
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

async function openBystanders(place: FailingOver, handler: SignedIn): Promise<Watched[]> {
  const claimed = await seedConversations(place.database, [OTHER_DESK], Array<number>(BYSTANDERS).fill(0));
  return Promise.all([
    ...place.ports.map((_, at) => Watched.open(place, at, handler)),
    ...claimed.map(async (each, at) => Watched.open(place, at, await signInVisitor(place.signing, each))),
  ]);
}

function post(path: string, body: object | undefined, token: string): Call {
  return { method: 'POST', path, token, ...(body && { body }) };
}

/** Repeats the call until it succeeds, like a person. Returns when that attempt began. */
async function callUntilAnswered(place: FailingOver, { method, path, body, token }: Call): Promise<number> {
  const deadline = performance.now() + CALL_WITHIN_MS;
  for (;;) {
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${place.ports[0]}${path}`, {
      method,
      headers: {
        origin: place.origin,
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
  static async open(place: FailingOver, at: number, person: SignedIn): Promise<Watched> {
    const watched = new Watched();
    const port = place.ports[at % place.ports.length] ?? 0;
    const { close } = await mustOpenSocket({
      port,
      origin: place.origin,
      token: person.token,
      conversations: person.conversationIds,
      received(frame) {
        if (frame.type === 'conversation' && 'canSend' in frame.conversation && !frame.conversation.canSend)
          watched.#end('cannot send');
      },
      closed: (code) => watched.#end(`closed ${code}`),
    });
    watched.leave = close;
    return watched;
  }

  #end(how: string): void {
    if (this.ended !== undefined) return;
    this.ended = how;
    this.endedAt = performance.now();
  }
}

const closes =
  'everybody loses access by a revoke, block, sign-out or demotion and learns why, and nobody else is closed';

export const scenario: Scenario<FailingOver> = {
  what: 'revoke, block, sign-out and demotion close live sockets',
  ci: 'beside',
  topology: startFailingOver,
  prove,
  checks: {
    health: `[AUTH-03] [INVITE-21] in health, ${closes}; at night within ${CLOSED_WITHIN_MS / 1_000} s`,
    withoutNats: `[AUTH-03] [INVITE-21] without NATS, ${closes}; at night within ${CLOSED_WITHIN_MS / 1_000} s`,
    failover: `[AUTH-03] [INVITE-21] while PostgreSQL fails over, ${closes}; at night within ${CLOSED_WITHIN_MS / 1_000} s`,
    inRegion: `[AUTH-03] [INVITE-21] the same while Patroni promotes a standby`,
    ends: 'no gateway ends unexpectedly',
  },
};
