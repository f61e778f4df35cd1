import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signInVisitor } from '../../../bench/src/people.ts';
import { Random } from '../random.ts';
import type { Findings, Run, Scenario } from '../scenario.ts';
import { DESKS, type FailingOver, startFailingOver, startFailingRegion } from '../topology/failingOver.ts';

const RETRY_MS = 100;
/** Of the visitors, this part loses the connection after the first try was sent. */
const CUT = 0.3;
const CUT_WITHIN_MS = 60;
const ANSWER_WITHIN_MS = 120_000;

type Invite = { token: string; winners: Winner[]; lost: number; odd: string[] };
type Winner = { visitorId: string; conversationId: string; token: string; tries: number };

async function prove(place: FailingOver, run: Run): Promise<Findings> {
  const found = {
    once: await inHealth(place, run),
    ...(await duringFailovers(place, run, run.size(1, 5))),
    ends: place.unexpectedEnds(),
  };
  if (!run.full) return found;
  const region = await startFailingRegion();
  const there = await duringFailovers(region, run, 2);
  await region.close();
  return { ...found, inRegion: [...there.failover, ...there.interrupted] };
}

async function inHealth(place: FailingOver, run: Run): Promise<string[]> {
  const [claims, count] = [run.size(100, 1_000), run.size(3, 200)];
  const invites = await createInvites(place, count);
  const began = performance.now();
  // One invite after another, so that all its claims race.
  const { retries } = await claimAll(
    place,
    run,
    invites.flatMap((invite) => Array<Invite>(claims).fill(invite)),
  );
  const perSecond = (1_000 * claims * count) / (performance.now() - began);
  run.report.figure(
    `${claims} claims of each of ${count} invites: ${perSecond.toFixed(0)} claims a second, ${retries} retries`,
  );
  return problems(place, invites);
}

async function duringFailovers(
  place: FailingOver,
  run: Run,
  failovers: number,
): Promise<Record<'failover' | 'interrupted', string[]>> {
  const [claims, perFailover] = [run.size(50, 200), run.size(10, 40)];
  const found: string[] = [];
  const total = { claims: 0, retries: 0, retriedWinners: 0 };
  for (let round = 1; round <= failovers; round += 1) {
    await place.recovered();
    const invites = await createInvites(place, perFailover);
    // Each invite once, then each again, so that PostgreSQL dies while some are bound and some are not.
    const order = Array.from({ length: claims }, () => invites).flat();
    const someAreBound = Promise.withResolvers<void>();
    let bound = 0;
    const onBound = (): void => {
      bound += 1;
      if (bound === round) someAreBound.resolve();
    };
    const [{ retries }] = await Promise.all([
      claimAll(place, run, order, onBound),
      someAreBound.promise.then(() => place.failOver()),
    ]);
    found.push(...(await problems(place, invites)));
    total.claims += order.length;
    total.retries += retries;
    total.retriedWinners += invites.flatMap(({ winners }) => winners).filter(({ tries }) => tries > 1).length;
  }
  run.report.figure(
    `${failovers} failovers (${place.name}) during ${total.claims} claims of ${failovers * perFailover} invites: ${total.retries} retries, ${total.retriedWinners} winners after a retry`,
  );
  return { failover: found, interrupted: total.retries > 0 ? [] : ['no claim was repeated'] };
}

async function createInvites({ database }: FailingOver, count: number): Promise<Invite[]> {
  const tokens = Array.from({ length: count }, () => `a0${randomBytes(24).toString('base64url')}`);
  await database.run(
    `insert into invites (token_hash, handler_alias, expires_at)
     select sha256(token::bytea), $2, now() + interval '1 day' from unnest($1::text[]) as token`,
    [tokens, DESKS[0]],
  );
  return tokens.map((token) => ({ token, winners: [], lost: 0, odd: [] }));
}

/** Claims these invites in this order, each by a new visitor at the next gateway. */
async function claimAll(
  place: FailingOver,
  run: Run,
  order: Invite[],
  onBound?: () => void,
): Promise<{ retries: number }> {
  const random = new Random(order.length);
  const total = { retries: 0 };
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < order.length; at = next++) {
      const invite = order[at];
      if (invite === undefined) return;
      const before = invite.winners.length;
      const tries = await claimUntilAnswered(place, { random, invite, at });
      if (invite.winners.length > before) onBound?.();
      total.retries += tries - 1;
    }
  };
  await Promise.all(Array.from({ length: run.size(100, 300) }, work));
  return total;
}

/** Repeats the claim after a failure, with the same credential, like the page. */
async function claimUntilAnswered(
  place: FailingOver,
  { random, invite, at }: { random: Random; invite: Invite; at: number },
): Promise<number> {
  const [visitorId, credential] = [randomUUID(), randomBytes(32)];
  const { token } = await signInVisitor(place.signing, {
    visitorId,
    credential,
    conversationId: '',
    alias: '',
  });
  const began = performance.now();
  for (let tries = 1; ; tries += 1) {
    const port = place.ports[(at + tries) % place.ports.length] ?? 0;
    const isCut = tries === 1 && random.chance(CUT);
    const { status, answer } = await claim(port, {
      token: invite.token,
      idToken: token,
      ...(isCut && { cutAfterMs: random.whole(0, CUT_WITHIN_MS) }),
    });
    const ms = performance.now() - began;
    if (status === 200) {
      const { conversationId, idToken } = answer;
      invite.winners.push({ visitorId, conversationId, token: idToken, tries });
    } else if (status === 409) invite.lost += 1;
    else if (status !== 0 && status < 500) invite.odd.push(`${status} ${JSON.stringify(answer)}`);
    else if (ms > ANSWER_WITHIN_MS) invite.odd.push(`no answer: ${status} ${JSON.stringify(answer)}`);
    else {
      await sleep(RETRY_MS * Math.min(tries, 10));
      continue;
    }
    return tries;
  }
}

type Claimed = { conversationId: string; idToken: string };

/** Status 0 without an answer. */
async function claim(
  port: number,
  { token, idToken, cutAfterMs }: { token: string; idToken: string; cutAfterMs?: number },
): Promise<{ status: number; answer: Claimed }> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/claimInvite`, {
      method: 'POST',
      headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ token, csrf: String(Date.now()) }),
      ...(cutAfterMs !== undefined && { signal: AbortSignal.timeout(cutAfterMs) }),
    });
    return { status: response.status, answer: (await response.json()) as Claimed };
  } catch {
    return { status: 0, answer: { conversationId: '', idToken: '' } };
  }
}

/** Compares the answers with the tables, and opens each chat with the winner's new token. */
async function problems(place: FailingOver, invites: Invite[]): Promise<string[]> {
  const rows = await place.database.run<{
    token: string;
    state: string;
    visitors: string[];
    devices: number;
  }>(
    `select given.token, i.state,
       array(select visitor_id::text from conversations c where c.invite_id = i.id) as visitors,
       (select count(*)::int from devices d join conversations c on c.id = d.conversation_id
        where c.invite_id = i.id and d.first) as devices
     from unnest($1::text[]) as given (token) join invites i on i.token_hash = sha256(given.token::bytea)`,
    [invites.map(({ token }) => token)],
  );
  const stored = new Map(rows.map((row) => [row.token, row]));
  const found = invites.flatMap(({ token, winners, odd }, at) => {
    const row = stored.get(token);
    const [winner] = winners;
    const problem = [
      ...(winners.length === 1 ? [] : [`${winners.length} winners`]),
      ...(row?.state === 'BOUND' ? [] : [`state ${row?.state}`]),
      ...(row?.visitors.join() === winner?.visitorId ? [] : ['the chat belongs to somebody else']),
      ...(row?.devices === 1 ? [] : [`${row?.devices} first devices`]),
      ...odd,
    ];
    return problem.map((each) => `invite ${at}: ${each}`);
  });
  for (const { winners } of invites) {
    for (const { conversationId, token } of winners) {
      const url = `http://127.0.0.1:${place.ports[0]}/conversations/${conversationId}/messages?after=0`;
      const { status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      if (status !== 200) found.push(`the winner's chat answered ${status}`);
    }
  }
  return found;
}

export const scenario: Scenario<FailingOver> = {
  what: 'an invite binds once, also while PostgreSQL fails over',
  ci: 'beside',
  topology: startFailingOver,
  prove,
  checks: {
    once: '[INVITE-05] of many parallel claims of an invite exactly one binds',
    failover:
      '[INVITE-05] while PostgreSQL fails over, each invite binds exactly once, and its winner gets the chat',
    interrupted: '[INVITE-05] the failover interrupted claims',
    inRegion: '[INVITE-05] the same while Patroni promotes a standby',
    ends: 'no gateway ends unexpectedly',
  },
};
