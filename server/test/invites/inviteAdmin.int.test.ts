import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readQueue } from '../../src/conversations/queue.store.ts';
import { countInvites, mergeInviteCounts } from '../../src/invites/inviteCounts.store.ts';
import { openBrowser } from '../support/browser.ts';
import { deafBus } from '../support/deafBus.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { inParallel } from '../support/inParallel.ts';
import {
  createAdministrator,
  createChat,
  createStaff,
  type Person,
  sendOver,
  watchAs,
} from '../support/people.ts';
import { seededRandom } from '../support/seededRandom.ts';

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer({ config: { lookupsPerMinute: 10_000 } });
  admin = await createAdministrator(server);
  await createStaff(server, 'mara-east');
});
afterAll(() => server.close());

const draft = (label: string, more: object = {}) => ({
  id: randomUUID(),
  label,
  alias: 'mara-east',
  days: 30,
  keepDays: null,
  ...more,
});
type Draft = ReturnType<typeof draft>;

const make = (invites: Draft[], batchId = randomUUID(), { by = admin, attempt = 1 } = {}) =>
  by.call('POST', '/manage/invites', { batchId, attempt, invites });
const list = async (query: Record<string, string> = {}) =>
  (await admin.call('GET', `/manage/invites?${new URLSearchParams(query)}`)).body;
const tokenOf = (link: string) => link.slice(link.lastIndexOf('/') + 1);
const check = (token: string) => server.request('GET', `/checkInvite/${token}`);
const sql = (text: string, values: unknown[] = []) => server.app.db.pool.query(text, values);
const audited = async (action: string) =>
  (await sql('select target, details from audit where action = $1 order by id desc', [action])).rows;

/** Every table that contains this text: in a column, in JSON, or as bytes. */
async function tablesWith(words: string): Promise<string[]> {
  const { rows } = await sql(
    "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  const found: string[] = [];
  for (const { relname } of rows) {
    const { rowCount } = await sql(
      `select from "${relname}" t where t::text like $1 or t::text like $2 limit 1`,
      [`%${words}%`, `%${Buffer.from(words).toString('hex')}%`],
    );
    if (rowCount) found.push(relname);
  }
  return found;
}

async function idOf(token: string): Promise<string> {
  const hash = createHash('sha256').update(token).digest();
  return (await sql('select id from invites where token_hash = $1', [hash])).rows[0]?.id;
}

test('[INVITE-10] an invite is created with a working link, which is stored nowhere', async () => {
  const one = draft('Lyon reading', { days: 3, keepDays: 90 });
  const { status, body } = await make([one]);
  expect(status).toBe(200);
  const [made] = body.links;
  const token = tokenOf(made.link);
  expect(made.link).toBe(`${server.app.config.publicUrl}/i/${token}`);
  expect(Math.abs(made.expiresAt - (Date.now() + 3 * 86_400_000))).toBeLessThan(60_000);
  expect((await check(token)).body).toMatchObject({ success: true, state: 'NEW' });
  expect((await list({ search: 'lyon READ' })).rows).toEqual([
    expect.objectContaining({
      id: one.id,
      label: 'Lyon reading',
      state: 'NEW',
      handlerAlias: 'mara-east',
      keepDays: 90,
    }),
  ]);
  expect(await tablesWith(token)).toEqual([]);
  // Proves that the search finds existing text.
  expect(await tablesWith('Lyon reading')).toEqual(['invites']);
  expect((await audited('invite.create'))[0]).toMatchObject({
    target: one.id,
    details: { alias: 'mara-east', days: 3, keepDays: 90 },
  });
});

test('an invalid invite is refused, and nothing is created', async () => {
  const before = (await list()).counts;
  for (const wrong of [{ days: 3_651 }, { label: '  ' }, { keepDays: 0 }, { state: 'BOUND' }]) {
    expect((await make([draft('wrong'), draft('wrong', wrong)])).status, JSON.stringify(wrong)).toBe(400);
  }
  const { status, body } = await make([draft('wrong', { alias: 'nobody-there' })]);
  expect([status, body.error]).toEqual([400, 'No one answers at nobody-there']);
  const twice = draft('the same id');
  expect((await make([twice, twice])).body.code).toBe('id_reused');
  expect((await list()).counts).toEqual(before);
});

test('500 are created in one call, in order, with one line in the audit log; 501 are refused', async () => {
  const batchId = randomUUID();
  const labels = Array.from({ length: 501 }, (_, index) => `Bulk ${'ä'.repeat(60)}, no. ${index + 1}`);
  const drafts = labels.map((label) => draft(label));
  expect((await make(drafts, batchId)).status).toBe(400);
  const { status, body } = await make(drafts.slice(0, 500), batchId);
  expect(status).toBe(200);
  expect(new Set(body.links.map(({ link }: { link: string }) => link)).size).toBe(500);
  const read: string[] = [];
  let page = await list({ search: 'bulk ä' });
  for (;;) {
    expect(page.rows.length).toBeLessThanOrEqual(50);
    read.push(...page.rows.map(({ label }: { label: string }) => label));
    if (page.next === null) break;
    page = await list({ search: 'bulk ä', before: page.next });
  }
  expect(read).toEqual(labels.slice(0, 500));
  expect(await audited('invite.createMany')).toEqual([
    { target: batchId, details: { count: 500, linkedAgain: 0, aliases: ['mara-east'] } },
  ]);
});

test('[INVITE-15] a repeated chunk creates nothing twice, and returns links that work', async () => {
  const batchId = randomUUID();
  const chunk = [draft('Again, no. 1'), draft('Again, no. 2')];
  const lost = await make(chunk, batchId);
  const { body } = await make(chunk, batchId, { attempt: 2 });
  expect((await list({ search: 'again, no.' })).rows).toHaveLength(2);
  for (const [index, { link }] of body.links.entries()) {
    expect((await check(tokenOf(link))).body.state).toBe('NEW');
    expect((await check(tokenOf(lost.body.links[index].link))).status).toBe(404);
  }
  expect((await audited('invite.createMany'))[0]).toMatchObject({ details: { count: 0, linkedAgain: 2 } });

  // A delayed call must not replace links that were issued later.
  expect((await make(chunk, batchId)).body.code).toBe('id_reused');
  expect((await make(chunk, batchId, { attempt: 2 })).body.code).toBe('id_reused');
  for (const { link } of body.links) expect((await check(tokenOf(link))).body.state).toBe('NEW');

  // Nor a link that an administrator has made.
  const [first] = chunk;
  const replaced = await admin.call('POST', `/manage/invites/${first?.id}/link`);
  expect((await make(chunk, batchId, { attempt: 3 })).body.code).toBe('id_reused');
  expect((await check(tokenOf(replaced.body.link))).body.state).toBe('NEW');
});

test('[INVITE-15] a repeat gives no link to another administrator, to another batch, or for an invite in use', async () => {
  const batchId = randomUUID();
  const [mine, other] = [draft('Mine'), draft('Rides along')];
  const { body } = await make([mine], batchId);
  const token = tokenOf(body.links[0].link);
  const colleague = await createAdministrator(server);
  for (const refused of [
    await make([mine, other], batchId, { by: colleague, attempt: 2 }),
    await make([mine, other], randomUUID(), { attempt: 2 }),
  ]) {
    expect([refused.status, refused.body.code]).toEqual([409, 'id_reused']);
  }
  const visitor = await openBrowser(server);
  await visitor.call('POST', '/seeInvite', { token });
  expect((await make([mine, other], batchId, { attempt: 2 })).body.code).toBe('id_reused');
  expect((await check(token)).body.state).toBe('SEEN');
  // All or nothing.
  expect((await list({ search: 'rides along' })).rows).toEqual([]);
});

test('the list is filtered by state and handler, searched by label, and counted', async () => {
  await createStaff(server, 'mara-west');
  const west = (label: string) => draft(label, { alias: 'mara-west' });
  const drafts = ['50% off', '50x off', 'Seen one', 'Old one', 'Gone one'].map(west);
  const { body } = await make(drafts);
  const [, , seen = '', , gone = ''] = body.links.map(({ link }: { link: string }) => tokenOf(link));
  const visitor = await openBrowser(server);
  await visitor.call('POST', '/seeInvite', { token: seen });
  await sql("update invites set expires_at = now() - interval '1 s' where id = $1", [drafts[3]?.id]);
  await admin.call('POST', '/manage/invites/revoke', { ids: [await idOf(gone)] });
  const chat = await createChat(server, 'mara-west');
  await chat.visitor.call('PUT', `/conversations/${chat.conversationId}/visitorName`, {
    visitorName: 'Jonas',
  });

  const alias = 'mara-west';
  expect((await list({ alias })).counts).toEqual({ NEW: 2, SEEN: 1, BOUND: 1, REVOKED: 1, EXPIRED: 1 });
  const labels = async (query: Record<string, string>) =>
    (await list({ alias, ...query })).rows.map(({ label }: { label: string }) => label);
  expect(await labels({ state: 'NEW' })).toEqual(['50% off', '50x off']);
  expect(await labels({ state: 'SEEN' })).toEqual(['Seen one']);
  expect(await labels({ state: 'EXPIRED' })).toEqual(['Old one']);
  expect(await labels({ state: 'REVOKED' })).toEqual(['Gone one']);
  // The search text is never a pattern.
  expect(await labels({ search: '0% O' })).toEqual(['50% off']);
  expect(await labels({ search: '_' })).toEqual([]);
  expect((await list({ alias, state: 'BOUND' })).rows[0]).toMatchObject({
    state: 'BOUND',
    conversation: { id: chat.conversationId, visitorName: 'Jonas' },
  });
  expect((await list({ alias, search: 'one' })).counts).toMatchObject({ NEW: 0, SEEN: 1, EXPIRED: 1 });
});

test('[INVITE-21] revoking ends every open page of the invite, also at another gateway, and the way back', async () => {
  const another = await server.startAnother();
  const { visitor, conversationId, token, code } = await createChat(server, 'mara-east');
  const second = await openBrowser(server);
  await second.attach(token, code);
  await second.signIn();
  const { socket } = await watchAs(visitor, conversationId);
  const { socket: far } = await watchAs(visitor, conversationId, another.url);
  await sendOver(socket, conversationId, 'while I may');

  const id = await idOf(token);
  const { body } = await admin.call('POST', '/manage/invites/revoke', { ids: [id] });
  expect(body).toEqual({ success: true, revoked: 1 });
  await Promise.all([socket.next('gone'), far.next('gone')]);
  // Staff see it, and nobody waits any more.
  const shown = (await admin.call('GET', `/conversations/${conversationId}`)).body.conversation;
  expect(shown).toMatchObject({ status: 'open', canSend: false, noAccess: 'revoked' });
  const row = (await readQueue(server.app.db, 'mara-east')).find(
    (each) => each.conversationId === conversationId,
  );
  expect(row).toMatchObject({ noAccess: 'revoked', waitingSince: null });
  const reply = { id: randomUUID(), text: 'Too late' };
  expect((await admin.call('POST', `/conversations/${conversationId}/messages`, reply)).status).toBe(409);

  expect(await visitor.browser.canRead(conversationId)).toBe(false);
  expect(await second.canRead(conversationId)).toBe(false);
  await expect.poll(() => socket.closed).toEqual({ code: 4000, reason: 'signed_out' });
  expect((await check(token)).body).toMatchObject({
    revoked: true,
    error: 'This invite link has been revoked',
  });
  expect((await visitor.browser.attach(token, code)).body.error).toBe('This invite link has been revoked');
  expect((await sql('select code_hash from invites where id = $1', [id])).rows[0].code_hash).toBeNull();
  // A repeat changes nothing and is not logged.
  expect((await admin.call('POST', '/manage/invites/revoke', { ids: [id] })).body.revoked).toBe(0);
  expect((await audited('invite.revoke')).filter(({ target }) => target === id)).toHaveLength(1);
});

test('[INVITE-21] the sweep ends what a lost hint missed', async () => {
  const bus = deafBus();
  bus.deaf = true;
  const deaf = await server.startAnother({ throughBus: bus.through });
  const { visitor, conversationId, token } = await createChat(server, 'mara-east');
  const { socket } = await watchAs(visitor, conversationId, deaf.url);
  await admin.call('POST', '/manage/invites/revoke', { ids: [await idOf(token)] });
  await socket.next('gone');
  await expect.poll(() => bus.lost.length).toBeGreaterThan(0);
});

test('[INVITE-21] each of many is revoked; notifications stay for visitors with another conversation', async () => {
  const alone = await createChat(server, 'mara-east');
  const busy = await createChat(server, 'mara-east');
  const elsewhere = tokenOf((await make([draft('Elsewhere')])).body.links[0].link);
  await busy.visitor.browser.claim(elsewhere);
  for (const { visitor } of [alone, busy]) {
    await sql(
      `insert into push_subscriptions (visitor_id, endpoint, p256dh, auth) values ($1, $2, 'p', 'a')`,
      [visitor.browser.visitorId, `https://push.example/${visitor.browser.visitorId}`],
    );
  }
  const fresh = (await make([draft('Never opened')])).body.links[0].id;
  const ids = [await idOf(alone.token), await idOf(busy.token), fresh, randomUUID()];
  expect((await admin.call('POST', '/manage/invites/revoke', { ids })).body.revoked).toBe(3);
  const { rows } = await sql('select visitor_id from push_subscriptions');
  expect(rows).toEqual([{ visitor_id: busy.visitor.browser.visitorId }]);
  const [line] = await audited('invite.revoke');
  expect(line.target).toBe('3 invites');
  expect(new Set(line.details.ids)).toEqual(new Set(ids.slice(0, 3)));
});

test('[INVITE-21] a claim that races a revocation does not succeed', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { id, link } = (await make([draft('Raced for')])).body.links[0];
    const visitor = await openBrowser(server);
    const [claim] = await Promise.all([
      visitor.claim(tokenOf(link)),
      admin.call('POST', '/manage/invites/revoke', { ids: [id] }),
    ]);
    await visitor.signIn();
    if (claim.body.conversationId) expect(await visitor.canRead(claim.body.conversationId)).toBe(false);
    const { rows } = await sql(
      `select from devices d join conversations c on c.id = d.conversation_id
       where c.invite_id = $1 and d.revoked_at is null`,
      [id],
    );
    expect(rows).toEqual([]);
  }
});

test('[INVITE-24] a replaced link is unknown; devices keep access, and the new link leads to the chat', async () => {
  const { visitor, conversationId, token, code } = await createChat(server, 'mara-east');
  const id = await idOf(token);
  const { body } = await admin.call('POST', `/manage/invites/${id}/link`);
  const renewed = tokenOf(body.link);
  expect((await check(token)).body).toEqual((await check(`${token.slice(0, -4)}AAAA`)).body);
  const stranger = await openBrowser(server);
  expect((await stranger.attach(token, code)).body.error).toBe('Invite not found');
  expect((await check(renewed)).body.state).toBe('BOUND');
  expect(await visitor.browser.canRead(conversationId)).toBe(true);
  expect((await visitor.browser.attach(renewed, '')).body.conversationId).toBe(conversationId);
  expect((await stranger.attach(renewed, code)).body.conversationId).toBe(conversationId);
  expect(await tablesWith(renewed)).toEqual([]);
  expect((await audited('invite.replaceLink'))[0]).toEqual({ target: id, details: {} });

  await admin.call('POST', '/manage/invites/revoke', { ids: [id] });
  expect((await admin.call('POST', `/manage/invites/${id}/link`)).body.code).toBe('invite_revoked');
  expect((await admin.call('POST', `/manage/invites/${randomUUID()}/link`)).body.code).toBe(
    'invite_not_found',
  );
});

test('[INVITE-24] a continue code that was guessed at is renewed', async () => {
  const { token, code, conversationId } = await createChat(server, 'mara-east');
  const id = await idOf(token);
  const wrong = code === '0000' ? '1111' : '0000';
  const guesser = await openBrowser(server);
  for (let guess = 0; guess < 5; guess += 1) await guesser.attach(token, wrong);
  expect((await guesser.attach(token, code)).status).toBe(429);
  const { body } = await admin.call('POST', `/manage/invites/${id}/continueCode`);
  expect(body.continueCode).toMatch(/^[0-9]{4}$/);
  const second = await openBrowser(server);
  expect((await second.attach(token, body.continueCode)).body.conversationId).toBe(conversationId);
  // Only in the details: four digits occur in many ids by chance.
  const details = (await audited('invite.resetCode')).map((entry) => entry.details);
  expect(JSON.stringify(details)).not.toContain(body.continueCode);

  const fresh = (await make([draft('Not started')])).body.links[0].id;
  expect((await admin.call('POST', `/manage/invites/${fresh}/continueCode`)).status).toBe(400);
});

test('label and days to keep can be changed, and the expiry until someone starts', async () => {
  const { id, link } = (await make([draft('Befor', { days: 1 })])).body.links[0];
  await sql("update invites set expires_at = now() - interval '1 minute' where id = $1", [id]);
  expect((await check(tokenOf(link))).body.expired).toBe(true);
  const change = { label: ' Before ', keepDays: 14, days: 10 };
  const { body } = await admin.call('PUT', `/manage/invites/${id}`, change);
  expect(Math.abs(body.expiresAt - (Date.now() + 10 * 86_400_000))).toBeLessThan(60_000);
  expect((await check(tokenOf(link))).body.success).toBe(true);
  expect((await list({ search: 'before' })).rows).toEqual([
    expect.objectContaining({ id, label: 'Before', keepDays: 14, state: 'NEW' }),
  ]);
  const visitor = await openBrowser(server);
  await visitor.claim(tokenOf(link));
  expect((await admin.call('PUT', `/manage/invites/${id}`, change)).status).toBe(400);
  expect((await admin.call('PUT', `/manage/invites/${id}`, { label: 'Then', keepDays: null })).status).toBe(
    200,
  );
  expect((await audited('invite.update'))[0].details).toEqual({ label: true, keepDays: null });
  // Fields that this change does not contain keep a colleague's new values.
  await admin.call('PUT', `/manage/invites/${id}`, { keepDays: 30 });
  await admin.call('PUT', `/manage/invites/${id}`, { label: 'Later' });
  expect((await list({ search: 'later' })).rows[0]).toMatchObject({ id, label: 'Later', keepDays: 30 });
});

test('the pages of staff get a new label at once; the visitor notices nothing', async () => {
  const { visitor, conversationId, token } = await createChat(server, 'mara-east');
  const path = `/conversations/${conversationId}`;
  const { socket: desk } = await watchAs(admin, conversationId);
  const { socket } = await watchAs(visitor, conversationId);
  const before = (await visitor.call('GET', path)).body;
  await admin.call('PUT', `/manage/invites/${await idOf(token)}`, { label: 'Renamed' });
  await desk.next('conversation');
  expect((await admin.call('GET', `${path}/details`)).body.details.inviteLabel).toBe('Renamed');
  expect((await visitor.call('GET', path)).body).toEqual(before);
  await sendOver(desk, conversationId, 'Good day');
  await socket.next('message');
  expect(socket.received.filter(({ type }) => type === 'conversation')).toEqual([]);
});

const DESKS = ['mara-east', 'mara-west'];

/** Counts what the list shows, without any kept count. */
async function countByHand(alias: string | undefined): Promise<Record<string, number>> {
  const { rows } = await sql(
    `select case when state in ('NEW', 'SEEN') and expires_at <= now() then 'EXPIRED' else state end as listed,
       count(*)::integer as count
     from invites where $1::text is null or handler_alias = $1 group by 1`,
    [alias],
  );
  const counts: Record<string, number> = { NEW: 0, SEEN: 0, BOUND: 0, REVOKED: 0, EXPIRED: 0 };
  for (const { listed, count } of rows) counts[listed] = count;
  return counts;
}

async function expectCounted(when: string): Promise<void> {
  for (const alias of [undefined, ...DESKS]) {
    expect(await countInvites(server.app.db, { alias }), `${when}, ${alias ?? 'all desks'}`).toEqual(
      await countByHand(alias),
    );
  }
}

const INSERT = `insert into invites (token_hash, label, handler_alias, expires_at)
  select sha256(gen_random_uuid()::text::bytea), 'Lyon', $1, now() + $2 * interval '6 hours' + interval '10 minutes'
  from generate_series(1, 20)`;
/** Changes some rows, in a fixed order so that two of them never wait for each other. */
const change = (set: string, where = 'true') =>
  `update invites set ${set} where id = any (array(
     select id from invites where ${where} and get_byte(uuid_send(id), 0) % 16 = $1 order by id for update))`;
const CHANGES = [
  change("state = 'SEEN', seen_at = now()", "state = 'NEW'"),
  change("state = 'BOUND', bound_at = now()", "state in ('NEW', 'SEEN')"),
  change("state = 'REVOKED', revoked_at = now()", "state <> 'REVOKED'"),
  change("expires_at = expires_at + interval '2 days'"),
  change("expires_at = expires_at - interval '30 days'"),
  change("handler_alias = case handler_alias when 'mara-east' then 'mara-west' else 'mara-east' end"),
  change("label = 'Lyon again'"),
  `delete from invites where id = any (array(
     select id from invites i where get_byte(uuid_send(id), 0) % 16 = $1
       and not exists (select from conversations where invite_id = i.id) order by id for update))`,
];

async function changeMany(seed: number, meanwhile: (() => Promise<unknown>)[]): Promise<void> {
  const random = seededRandom(seed);
  const inserts = Array.from({ length: 30 }, () => {
    const [desk, quarter] = [DESKS[random.below(2)], random.below(40) - 20];
    return () => sql(INSERT, [desk, quarter]);
  });
  const changes = Array.from({ length: 40 }, () => {
    const [text = '', part] = [CHANGES[random.below(CHANGES.length)], random.below(16)];
    return () => sql(text, [part]);
  });
  const all = [...inserts, ...changes].map((work, at) => ({
    work,
    at: at < 10 ? at : 10 + random.below(60),
  }));
  const shuffled = all
    .toSorted((one, two) => one.at - two.at)
    .map(({ work }): (() => Promise<unknown>) => work);
  meanwhile.forEach((work, at) => void shuffled.splice(15 + at * 7, 0, work));
  await inParallel<unknown>(server, shuffled);
}

test('the kept counts of invites equal a count by hand, whatever changes at the same time', async () => {
  const merge = () => mergeInviteCounts(server.app.db);
  for (const desk of DESKS) await createStaff(server, desk);
  await changeMany(1, []);
  await expectCounted('after changes');
  await merge();
  await expectCounted('after a merge');
  await changeMany(2, [merge, merge, merge, merge]);
  await expectCounted('after changes during merges');
  await merge();
  const { rows } = await sql(
    `select count(*)::integer as rows, count(distinct (handler_alias, state, expires_on))::integer as keys,
       count(*) filter (where expires_on < now() - interval '3 days' and expires_on > '-infinity')::integer as past,
       count(*) filter (where count = 0)::integer as empty
     from invite_counts`,
  );
  expect(rows[0]).toMatchObject({ rows: rows[0].keys, past: 0, empty: 0 });
  expect(rows[0].rows).toBeGreaterThan(4);
});
