import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { signInVisitor } from '../../bench/src/people.ts';
import { fullSize } from '../../tools/fullSize.ts';
import { Random } from '../proof/random.ts';
import type { Report } from './report.ts';
import { DESKS, type Place } from './stage.ts';

const CLAIMS = fullSize(100, 1_000);
const INVITES = fullSize(10, 200);
const FAILOVERS = fullSize(1, 5);
const INVITES_PER_FAILOVER = fullSize(20, 40);
const CLAIMS_PER_FAILOVER = fullSize(100, 200);
const AT_ONCE = 300;
const RETRY_MS = 100;
/** Of the visitors, this part loses the connection after the first try was sent. */
const CUT = 0.3;
const CUT_WITHIN_MS = 60;
const ANSWER_WITHIN_MS = 120_000;

type Invite = { token: string; winners: Winner[]; lost: number; odd: string[] };
type Winner = { visitorId: string; conversationId: string; token: string; tries: number };

export async function claimInvites(stage: Place, report: Report): Promise<void> {
  await healthy(stage, report);
  await claimDuringFailovers(stage, report, FAILOVERS);
}

async function healthy(stage: Place, report: Report): Promise<void> {
  const invites = await createInvites(stage, INVITES);
  const began = performance.now();
  // One invite after another, so that all its claims race.
  const { retries } = await claimAll(
    stage,
    invites.flatMap((invite) => Array<Invite>(CLAIMS).fill(invite)),
  );
  const seconds = (performance.now() - began) / 1_000;
  const total = INVITES * CLAIMS;
  report.figure(
    `${CLAIMS} claims × ${INVITES} invites at ${stage.ports.length} gateways: ${(total / seconds).toFixed(0)} claims a second, ${retries} retries`,
  );
  report.check(
    `[INVITE-05] of ${CLAIMS} parallel claims exactly one binds, ${INVITES} times over`,
    await problems(stage, invites),
  );
}

export async function claimDuringFailovers(stage: Place, report: Report, failovers: number): Promise<void> {
  const found: string[] = [];
  const figures = { claims: 0, retries: 0, retriedWinners: 0, slowestMs: 0 };
  for (let round = 1; round <= failovers; round += 1) {
    await stage.recovered();
    const invites = await createInvites(stage, INVITES_PER_FAILOVER);
    // Each invite once, then each again, so that PostgreSQL dies while some are bound and some are not.
    const order = Array.from({ length: CLAIMS_PER_FAILOVER }, () => invites).flat();
    const someAreBound = Promise.withResolvers<void>();
    let bound = 0;
    const onBound = (): void => {
      bound += 1;
      if (bound === round) someAreBound.resolve();
    };
    const [{ retries, slowestMs }] = await Promise.all([
      claimAll(stage, order, onBound),
      someAreBound.promise.then(() => stage.failOver()),
    ]);
    found.push(...(await problems(stage, invites)));
    figures.claims += order.length;
    figures.retries += retries;
    figures.retriedWinners += invites
      .flatMap(({ winners }) => winners)
      .filter(({ tries }) => tries > 1).length;
    figures.slowestMs = Math.max(figures.slowestMs, slowestMs);
  }
  const { claims, retries, retriedWinners, slowestMs } = figures;
  report.figure(
    `${failovers} failovers (${stage.name}) during ${claims} claims of ${failovers * INVITES_PER_FAILOVER} invites: ${retries} retries, ${retriedWinners} winners after a retry, slowest claim ${(slowestMs / 1_000).toFixed(1)} s`,
  );
  report.check(
    '[INVITE-05] while PostgreSQL fails over, each invite binds exactly once, and its winner gets the chat',
    found,
  );
  report.check('[INVITE-05] the failover interrupted claims', retries > 0 ? [] : ['no claim was repeated']);
}

async function createInvites({ database }: Place, count: number): Promise<Invite[]> {
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
  stage: Place,
  order: Invite[],
  onBound?: () => void,
): Promise<{ retries: number; slowestMs: number }> {
  const agent = new Agent({ keepAlive: true });
  const random = new Random(order.length);
  const total = { retries: 0, slowestMs: 0 };
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < order.length; at = next++) {
      const invite = order[at];
      if (invite === undefined) return;
      const before = invite.winners.length;
      const { tries, ms } = await claimUntilAnswered(stage, { agent, random, invite, at });
      if (invite.winners.length > before) onBound?.();
      total.retries += tries - 1;
      total.slowestMs = Math.max(total.slowestMs, ms);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  agent.destroy();
  return total;
}

/** Repeats the claim after a failure, with the same credential, like the page. */
async function claimUntilAnswered(
  stage: Place,
  { agent, random, invite, at }: { agent: Agent; random: Random; invite: Invite; at: number },
): Promise<{ tries: number; ms: number }> {
  const [visitorId, credential] = [randomUUID(), randomBytes(32)];
  const { token } = await signInVisitor(stage.signing, {
    visitorId,
    credential,
    conversationId: '',
    alias: '',
  });
  const began = performance.now();
  for (let tries = 1; ; tries += 1) {
    const port = stage.ports[(at + tries) % stage.ports.length] ?? 0;
    const isCut = tries === 1 && random.chance(CUT);
    const { status, answer } = await claim(agent, port, {
      token: invite.token,
      idToken: token,
      ...(isCut && { cutAfterMs: random.between(0, CUT_WITHIN_MS) }),
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
    return { tries, ms };
  }
}

type Claimed = { conversationId: string; idToken: string };

/** Status 0 without an answer. */
function claim(
  agent: Agent,
  port: number,
  { token, idToken, cutAfterMs }: { token: string; idToken: string; cutAfterMs?: number },
): Promise<{ status: number; answer: Claimed }> {
  const body = JSON.stringify({ token, csrf: String(Date.now()) });
  const headers = { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const fail = (): void => resolve({ status: 0, answer: { conversationId: '', idToken: '' } });
    const url = `http://127.0.0.1:${port}/claimInvite`;
    const call = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('error', fail);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, answer: JSON.parse(text) as Claimed }),
      );
    });
    call.on('error', fail);
    call.end(body);
    if (cutAfterMs !== undefined) setTimeout(() => call.destroy(), cutAfterMs);
  });
}

/** Compares the answers with the tables, and opens each chat with the winner's new token. */
async function problems(stage: Place, invites: Invite[]): Promise<string[]> {
  const rows = await stage.database.run<{
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
      const url = `http://127.0.0.1:${stage.ports[0]}/conversations/${conversationId}/messages?after=0`;
      const { status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      if (status !== 200) found.push(`the winner's chat answered ${status}`);
    }
  }
  return found;
}
