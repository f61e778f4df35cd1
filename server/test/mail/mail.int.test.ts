import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Maildev, startMaildev } from '../../../tools/mail/maildev.ts';
import { postponeForPresent } from '../../src/live/mailPresence.ts';
import { enqueueDueMails } from '../../src/mail/mailScheduler.ts';
import { postponeMails } from '../../src/mail/visitorMails.store.ts';
import { enqueueDuePushes } from '../../src/push/pushDue.store.ts';
import { DESK } from '../access/stage.ts';
import { hiddenStaff, scanner } from '../support/firewall.ts';
import { startTestServer } from '../support/harness.ts';
import { codeIn, type MailWorld, mailSettings, startMailWorld } from '../support/mailWorld.ts';
import { createAdministrator, createChat, createStaff, type Person, say } from '../support/people.ts';
import { soon } from '../support/soon.ts';

let maildev: Maildev;
let world: MailWorld;
beforeAll(async () => {
  maildev = await startMaildev();
  world = await startMailWorld(mailSettings({ SMTP_URL: maildev.url }));
});
afterAll(async () => {
  await world.stop();
  await maildev.stop();
});

const newAddress = () => `${randomUUID()}@example.org`;
const mailPath = (id: string) => `/conversations/${id}/mail`;

/** A visitor who confirmed an address. */
async function chatWithMail(alias: string, address = newAddress()) {
  const chat = await createChat(world.server, alias);
  const path = mailPath(chat.conversationId);
  expect((await chat.visitor.call('PUT', path, { address })).status).toBe(200);
  await world.runJobs();
  const [sent] = await maildev.mailsTo(address);
  const { status } = await chat.visitor.call('POST', `${path}/confirm`, {
    code: codeIn(sent ?? { subject: '' }),
  });
  expect(status).toBe(200);
  return { ...chat, path, address };
}

/** Long headers continue on the next line. */
const unfolded = (source: string) => source.replace(/\r?\n[ \t]+/g, ' ').replaceAll('\r', '');

const replyMails = async (address: string) =>
  (await maildev.mailsTo(address)).filter(({ subject }) => !/\d{6}/.test(subject));

test('[MAIL-02] an address gets nothing but a code until the code was entered', async () => {
  const { visitor, conversationId } = await createChat(world.server, 'mail-code');
  const handler = await createStaff(world.server, 'mail-code');
  for (const wrong of ['anna@gmail', 'root@localhost', 'root@127.0.0.1'])
    expect((await visitor.call('PUT', mailPath(conversationId), { address: wrong })).status).toBe(400);
  const address = newAddress();
  const saved = await visitor.call('PUT', mailPath(conversationId), { address, language: 'de' });
  const masked = `${address.slice(0, 1)}…@example.org`;
  expect(saved.body.mail).toEqual({ address: null, pending: masked, refused: false });
  await world.runJobs();
  await say(handler, conversationId);
  await world.mailReplies();
  // A second code replaces the first.
  await visitor.call('PUT', mailPath(conversationId), { address, language: 'de' });
  await world.runJobs();
  await say(handler, conversationId);
  await world.mailReplies();
  expect(await replyMails(address)).toEqual([]);
  const mails = await maildev.mailsTo(address);
  expect(mails).toHaveLength(2);
  const code = codeIn(mails[1] ?? { subject: '' });
  expect(mails[1]?.text).toContain(code);

  const wrong = code === '000000' ? '000001' : '000000';
  const refused = await visitor.call('POST', `${mailPath(conversationId)}/confirm`, { code: wrong });
  expect([refused.status, refused.body.code]).toEqual([403, 'code_invalid']);
  const confirmed = await visitor.call('POST', `${mailPath(conversationId)}/confirm`, { code });
  expect(confirmed.body.mail).toEqual({ address: masked, pending: null, refused: false });
  expect(
    await world.query('select language from visitor_mails where conversation_id = $1', [conversationId]),
  ).toEqual([{ language: 'de' }]);
});

test('[MAIL-02] five wrong codes void the right one, and codes are limited per device, chat and address', async () => {
  const { visitor, conversationId } = await createChat(world.server, 'mail-limits');
  const address = newAddress();
  const confirm = async (code: string) =>
    (await visitor.call('POST', `${mailPath(conversationId)}/confirm`, { code })).body.code;
  await visitor.call('PUT', mailPath(conversationId), { address });
  await world.runJobs();
  const [mail] = await maildev.mailsTo(address);
  const code = codeIn(mail ?? { subject: '' });
  const wrong = code === '111111' ? '111112' : '111111';
  for (let n = 0; n < 5; n += 1) expect(await confirm(wrong)).toBe('code_invalid');
  expect(await confirm(code)).toBe('code_void');

  const ask = async (who: Person, id: string, to: string) =>
    (await who.call('PUT', mailPath(id), { address: to })).status;
  expect([await ask(visitor, conversationId, address), await ask(visitor, conversationId, address)]).toEqual([
    200, 200,
  ]);
  // The third and last for this address was the one before. Upper case is the same address.
  const other = await createChat(world.server, 'mail-limits');
  expect(await ask(other.visitor, other.conversationId, address.toUpperCase())).toBe(429);
  expect(await ask(visitor, conversationId, newAddress())).toBe(200);
  expect(await ask(visitor, conversationId, newAddress())).toBe(200);
  expect(await ask(visitor, conversationId, newAddress())).toBe(429);
  for (let n = 0; n < 19; n += 1) await confirm(wrong);
  expect(await confirm(wrong)).toBe('too_many');
});

test('[MAIL-02] codes are limited per day too: for a chat, for an address with all its tags, and in all', async () => {
  const hours = '^mailsPer(Device|Chat|Address):';
  const ask = async (
    { visitor, conversationId }: Awaited<ReturnType<typeof createChat>>,
    address: string,
  ) => {
    await world.query('delete from rate_limits where key ~ $1', [hours]);
    return (await visitor.call('PUT', mailPath(conversationId), { address })).status;
  };
  const chat = await createChat(world.server, 'mail-days');
  for (let n = 0; n < 10; n += 1) expect(await ask(chat, newAddress())).toBe(200);
  expect(await ask(chat, newAddress())).toBe(429);

  const name = randomUUID();
  const other = await createChat(world.server, 'mail-days');
  for (const tag of ['', '+', '+a', '+b', '+b+c'])
    expect(await ask(other, `${name}${tag}@example.org`)).toBe(200);
  expect(await ask(other, `${name}+d@example.org`)).toBe(429);
  expect(await ask(other, `${name}@example.com`)).toBe(200);

  const before = await world.query(`select points from rate_limits where key = 'mailsPerDay:all'`);
  await world.query(`update rate_limits set points = 2000 where key = 'mailsPerDay:all'`);
  expect(await ask(await createChat(world.server, 'mail-days'), newAddress())).toBe(429);
  await world.query(`update rate_limits set points = $1 where key = 'mailsPerDay:all'`, [before[0]?.points]);
});

test('[MAIL-04] the mail about a reply: from the profile, in text and HTML, without words of the chat, staff or alias', async () => {
  const { staff, canaries } = await hiddenStaff(world.server);
  const { conversationId, address } = await chatWithMail(DESK);
  await say(staff.handler, conversationId, 'zq-juniper-reply');
  await world.mailReplies();
  const [mail] = await replyMails(address);
  if (mail === undefined) throw new Error('no mail');
  const source = await maildev.source(mail.id);
  const headers = unfolded(source);
  const name = (await staff.handler.call('GET', '/brand')).body.brand.displayName as string;
  expect(mail.from).toEqual([{ address: 'chat@settee.example', name }]);
  expect(mail.subject).toBe(`There is a reply from ${name}`);
  const chatUrl = `http://settee.test/chat#${conversationId}`;
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain(chatUrl);
    expect(part).toContain('Do not answer this mail; answer in the chat.');
  }
  expect(headers).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(headers).toMatch(/^X-Auto-Response-Suppress: All$/m);
  expect(source).toMatch(/^Content-Type: multipart\/alternative/m);
  expect(headers).toMatch(/^List-Unsubscribe: <http:\/\/settee\.test\/mail\/off\/[\w-]{43}>$/m);
  expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  // Nothing is loaded when it is read.
  expect(mail.html).not.toMatch(/<img|src=|@import|url\(/);
  // The bytes on the wire are seven-bit, whatever the name is.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these
  expect(source).toMatch(/^[\x00-\x7f]*$/);
  const scan = scanner(canaries);
  expect([source, mail.text, mail.html].flatMap((each) => scan('mail', each))).toEqual([]);
  // The scanner would find them.
  expect(scan('planted', `${source}${DESK}`)).not.toEqual([]);
});

test('[MAIL-05] at most one mail every ten minutes, and none about a reply that was seen', async () => {
  const { visitor, conversationId, address } = await chatWithMail('mail-pace');
  const handler = await createStaff(world.server, 'mail-pace');
  await say(handler, conversationId);
  await say(handler, conversationId);
  await world.mailReplies();
  expect(await replyMails(address)).toHaveLength(1);
  await say(handler, conversationId);
  await world.query('update push_due set due_at = now()');
  await enqueueDuePushes(world.server.app.db, 'optional', 100);
  const [row] = await world.query(
    `select extract(epoch from due_at - mailed_at)::float8 as apart from visitor_mails where conversation_id = $1`,
    [conversationId],
  );
  expect(row?.apart).toBe(600);

  const socket = await visitor.live();
  socket.send({ type: 'watch', conversationId });
  await socket.next('watched');
  socket.send({ type: 'seen', conversationId, seq: 3 });
  await vi.waitFor(async () => {
    const [seen] = await world.query('select visitor_seen from conversations where id = $1', [
      conversationId,
    ]);
    expect(seen?.visitor_seen).toBe(3);
  }, soon);
  socket.close();
  await world.mailReplies();
  expect(await replyMails(address)).toHaveLength(1);
});

test('[MAIL-05] no mail while the visitor has a page open', async () => {
  const { visitor, conversationId, address } = await chatWithMail('mail-open');
  const handler = await createStaff(world.server, 'mail-open');
  const rooms = new Set([conversationId]);
  const present = { get: (id: string) => (rooms.has(id) ? { hasVisitor: () => true } : undefined) };
  await say(handler, conversationId);
  await world.query('update push_due set due_at = now()');
  await enqueueDuePushes(world.server.app.db, 'optional', 100);
  const due = async () =>
    (
      await world.query(
        'select extract(epoch from due_at)::float8 as seconds from visitor_mails where conversation_id = $1',
        [conversationId],
      )
    )[0]?.seconds as number;
  await world.query(`update visitor_mails set due_at = now() + interval '5 seconds'`);
  const soon = await due();
  await postponeForPresent(world.server.app, present as never);
  // A minute from now.
  expect((await due()) - soon).toBeGreaterThanOrEqual(55);
  rooms.clear();
  await world.query(`update visitor_mails set due_at = now() + interval '5 seconds'`);
  const left = await due();
  await postponeForPresent(world.server.app, present as never);
  expect(await due()).toBe(left);
  // One that is due later stays so.
  await world.query(`update visitor_mails set due_at = now() + interval '1 hour'`);
  const later = await due();
  await postponeMails(world.server.app.db, [conversationId]);
  expect(await due()).toBe(later);
  await world.mailReplies();
  expect(await replyMails(address)).toHaveLength(1);
  expect((await visitor.call('GET', `/conversations/${conversationId}`)).body.conversation.canMail).toBe(
    true,
  );
});

test('[MAIL-07] one click ends the mails, without a cookie, and deletes the address', async () => {
  const { visitor, conversationId, address, path } = await chatWithMail('mail-off');
  const handler = await createStaff(world.server, 'mail-off');
  await say(handler, conversationId);
  await world.mailReplies();
  const [mail] = await replyMails(address);
  const link = /^List-Unsubscribe: <([^>]+)>$/m.exec(unfolded(await maildev.source(mail?.id ?? '')))?.[1];
  const { pathname } = new URL(link ?? '');
  const at = world.server.url + pathname;
  // Looking at the link changes nothing.
  const looked = await fetch(at);
  expect([looked.status, await looked.text()]).toEqual([
    200,
    expect.stringContaining('<button>No more mails</button>'),
  ]);
  expect((await visitor.call('GET', path)).body.mail.address).not.toBeNull();
  const forged = `${pathname.slice(0, -1)}${pathname.endsWith('A') ? 'E' : 'A'}`;
  expect((await fetch(world.server.url + forged, { method: 'POST' })).status).toBe(404);

  // As a mail program does it, from anywhere, and again.
  for (let n = 0; n < 2; n += 1) {
    const ended = await fetch(at, {
      method: 'POST',
      headers: { origin: 'https://mail.example', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(ended.status).toBe(200);
  }
  expect(await world.query('select from visitor_mails where conversation_id = $1', [conversationId])).toEqual(
    [],
  );
  await say(handler, conversationId);
  await world.mailReplies();
  expect(await replyMails(address)).toHaveLength(1);
});

test('[MAIL-08] the address is encrypted, shown to nobody, and gone with the device or the conversation', async () => {
  const { visitor, conversationId, address, path } = await chatWithMail('mail-secret');
  const handler = await createStaff(world.server, 'mail-secret');
  const admin = await createAdministrator(world.server);
  const [row] = await world.query(
    'select row_to_json(m)::text as row, address from visitor_mails m where conversation_id = $1',
    [conversationId],
  );
  for (const form of [address, Buffer.from(address).toString('hex'), address.split('@')[0] ?? ''])
    expect(row?.row).not.toContain(form);
  for (const person of [handler, admin]) {
    expect((await person.call('GET', path)).status).toBe(403);
    for (const at of ['', '/details', '/export']) {
      const { body } = await person.call('GET', `/conversations/${conversationId}${at}`);
      expect(JSON.stringify(body)).not.toContain(address.slice(0, 8));
    }
  }
  // Another chat cannot read the bytes.
  const other = await chatWithMail('mail-secret');
  await world.query('update visitor_mails set address = $2 where conversation_id = $1', [
    other.conversationId,
    row?.address,
  ]);
  expect((await other.visitor.call('GET', other.path)).body.mail.address).toBeNull();

  expect((await visitor.call('DELETE', path)).status).toBe(200);
  expect((await visitor.call('GET', path)).body.mail).toEqual({
    address: null,
    pending: null,
    refused: false,
  });
  await visitor.call('PUT', path, { address: newAddress() });
  expect((await visitor.call('DELETE', `/conversations/${conversationId}`)).status).toBe(200);
  expect(await world.query('select from visitor_mails where conversation_id = $1', [conversationId])).toEqual(
    [],
  );
  expect(
    await world.query(`select from graphile_worker.jobs where key like $1`, [`mail:%${conversationId}`]),
  ).toEqual([]);
});

test('[MAIL-08] the address is gone when the invite is revoked', async () => {
  const { conversationId } = await chatWithMail('mail-revoked');
  const admin = await createAdministrator(world.server);
  const [invite] = await world.query('select invite_id as id from conversations where id = $1', [
    conversationId,
  ]);
  await admin.call('POST', '/manage/invites/revoke', { ids: [invite?.id] });
  expect(await world.query('select from visitor_mails where conversation_id = $1', [conversationId])).toEqual(
    [],
  );
});

test('[MAIL-01] a visitor can leave no address if the administrator does not allow it', async () => {
  const { visitor, conversationId, path, address } = await chatWithMail('mail-forbidden');
  const handler = await createStaff(world.server, 'mail-forbidden');
  const admin = await createAdministrator(world.server);
  expect((await admin.call('PUT', '/manage/profile', { visitorMail: false })).body.settings.visitorMail).toBe(
    false,
  );
  try {
    expect((await visitor.call('GET', `/conversations/${conversationId}`)).body.conversation.canMail).toBe(
      false,
    );
    expect((await visitor.call('PUT', path, { address: newAddress() })).status).toBe(403);
    await say(handler, conversationId);
    await world.mailReplies();
    expect(await replyMails(address)).toEqual([]);
  } finally {
    await admin.call('PUT', '/manage/profile', { visitorMail: true });
  }
});

test('[ADMIN-36] a password link also goes to the person by e-mail, and the job does not contain it', async () => {
  const admin = await createAdministrator(world.server);
  const email = newAddress();
  const { body } = await admin.call('POST', '/manage/staff', {
    name: 'Nora New',
    email,
    role: 'handler',
    alias: 'mail-people',
  });
  expect(body.linkSent).toBe(true);
  const token = body.link.split('#')[1];
  const jobs = await world.query('select payload::text as payload from graphile_worker._private_jobs');
  expect(JSON.stringify(jobs)).not.toContain(token);
  await world.runJobs();
  const [mail] = await maildev.mailsTo(email);
  for (const part of [mail?.text, mail?.html]) expect(part).toContain(body.link);
  expect((await admin.call('POST', '/auth/staff/password-link', { token })).body.email).toBe(email);
  expect(await maildev.mailsTo(email)).toHaveLength(1);
});

/** Time passes for everybody who waits and everybody who was told. */
async function passMinutes(minutes: number): Promise<void> {
  await world.query(
    `update conversations set waiting_since = waiting_since - make_interval(mins => $1),
       waiting_mailed_since = waiting_mailed_since - make_interval(mins => $1)`,
    [minutes],
  );
  await world.query('update staff set waiting_mailed_at = waiting_mailed_at - make_interval(mins => $1)', [
    minutes,
  ]);
  await sendDue();
}

async function sendDue(): Promise<void> {
  await enqueueDueMails(world.server.app.db);
  await world.runJobs();
}

/** A person who wants mails about waiting visitors. */
async function waitingDesk(alias: string) {
  const handler = await createStaff(world.server, alias);
  const email = newAddress();
  await world.query('update staff set email = $1 where alias = $2', [email, alias]);
  await handler.call('PUT', '/account/waiting-mail', { on: true });
  const ask = async () => {
    const { visitor, conversationId } = await createChat(world.server, alias);
    await say(visitor, conversationId);
    return { visitor, conversationId };
  };
  return { handler, ask, email, mails: async () => (await maildev.mailsTo(email)).length };
}

test('[MAIL-11] staff who want it are told once that somebody has been waiting for ten minutes', async () => {
  const { handler, ask, mails, email } = await waitingDesk('mail-waiting');
  await handler.call('PUT', '/account/waiting-mail', { on: false });
  const { visitor, conversationId } = await ask();
  const again = async () => {
    await say(handler, conversationId);
    await say(visitor, conversationId);
  };
  const pass = async (minutes: number) => {
    await passMinutes(minutes);
    return mails();
  };
  expect(await pass(11)).toBe(0);
  await handler.call('PUT', '/account/waiting-mail', { on: true });
  expect(await pass(0)).toBe(1);
  expect(await pass(11)).toBe(1);
  const [mail] = await maildev.mailsTo(email);
  expect(mail?.text).toContain('Someone has been waiting for 10 minutes.');
  await again();
  expect(await pass(9)).toBe(1);
  expect(await pass(2)).toBe(2);
  await handler.call('PUT', '/account/waiting-mail', { on: false });
  await again();
  expect(await pass(11)).toBe(2);
});

test('[MAIL-08] an address whose code nobody entered is deleted', async () => {
  const { visitor, conversationId, path } = await chatWithMail('mail-unconfirmed');
  const other = await createChat(world.server, 'mail-unconfirmed');
  await visitor.call('PUT', path, { address: newAddress() });
  await other.visitor.call('PUT', mailPath(other.conversationId), { address: newAddress() });
  await world.query(`update visitor_mails set code_expires_at = now() - interval '1 second'`);
  await world.query(`select graphile_worker.add_job('purgeExpired')`);
  await world.runJobs();
  const rows = await world.query(
    'select conversation_id, pending from visitor_mails where conversation_id = any ($1::uuid[])',
    [[conversationId, other.conversationId]],
  );
  expect(rows).toEqual([{ conversation_id: conversationId, pending: null }]);
});

test('[MAIL-01] without a mail server, nothing is offered and nothing is sent', async () => {
  const server = await startTestServer();
  try {
    await server.app.db.pool.query('update brand set visitor_mail = true');
    const { visitor, conversationId } = await createChat(server, 'no-mail');
    const handler = await createStaff(server, 'no-mail');
    const admin = await createAdministrator(server);
    expect((await visitor.call('GET', `/conversations/${conversationId}`)).body.conversation.canMail).toBe(
      false,
    );
    expect((await visitor.call('PUT', mailPath(conversationId), { address: newAddress() })).status).toBe(403);
    expect((await handler.call('GET', '/account')).body.account.waitingMail).toBeNull();
    expect((await admin.call('GET', '/manage/mail')).body.figures).toBeNull();
    const person = { name: 'Nora', email: newAddress(), role: 'handler', alias: 'no-mail' };
    expect((await admin.call('POST', '/manage/staff', person)).body.linkSent).toBe(false);
    await say(handler, conversationId);
    const { rows } = await server.app.db.pool.query(`select from push_due`);
    expect(rows).toEqual([]);
  } finally {
    await server.close();
  }
});
