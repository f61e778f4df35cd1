import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type MailServer, startMailServer } from '../../../tools/mail/mailServer.ts';
import { About } from '../../src/doctor/finding.ts';
import { checkMail } from '../../src/doctor/mail.ts';
import { postponeForPresent } from '../../src/live/mailPresence.ts';
import { openMail } from '../../src/mail/smtp.adapter.ts';
import type { MailSender } from '../../src/platform/ports/ports.ts';
import { codeIn, type MailWorld, mailSettings, startMailWorld } from '../support/mailWorld.ts';
import { createAdministrator, createChat, createStaff, say } from '../support/people.ts';
import { soon } from '../support/soon.ts';

vi.setConfig({ hookTimeout: 400_000 });

const VISITOR = 'visitor@example.org';
const NOBODY = 'nobody@example.org';
const everybody = { people: [VISITOR] };
const greylisted = { ...everybody, answers: { [VISITOR]: '451 4.7.1 Greylisted' } };

let smtp: MailServer;
let world: MailWorld;
beforeAll(async () => {
  smtp = await startMailServer(everybody);
  world = await startMailWorld(settings(), smtp.certificate);
});
afterAll(async () => {
  await world.stop();
  await smtp.stop();
});

function settings({ password = smtp.password, ...more } = {} as { password?: string; SMTP_TLS?: string }) {
  return mailSettings({
    SMTP_URL: `smtp://${smtp.user}:${encodeURIComponent(password)}@localhost:${smtp.port}`,
    SMTP_TLS: 'required',
    ...more,
  });
}

const sender = (mail = settings(), ca: string | undefined = smtp.certificate) =>
  openMail({ mail, publicUrl: 'https://chat.example' }, { ca });
const message = (to: string) => ({
  to,
  fromName: 'Mara',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
});
/** The last code for a visitor. */
const storedCode = () => codeIn({ subject: /^Subject: (.*)$/m.exec(smtp.stored().at(-1) ?? '')?.[1] ?? '' });

test('[MAIL-12] a mail server gets mails with STARTTLS and a password, and without a valid certificate none', async () => {
  expect(await sender()?.send(message(VISITOR))).toEqual({ outcome: 'sent' });
  await vi.waitFor(
    () => expect(smtp.stored().some((mail) => mail.includes('Subject: Hello'))).toBe(true),
    soon,
  );
  // With TLS and authenticated (RFC 3848), as the server noted it.
  expect(smtp.stored()[0]).toMatch(/with ESMTPSA id \w+ \(TLSv1\.3:/);
  const unknown = await openMail({ mail: settings(), publicUrl: 'https://chat.example' })?.send(
    message(VISITOR),
  );
  expect(unknown).toEqual({ outcome: 'deferred', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  const plain = await sender(settings({ SMTP_TLS: 'off' }))?.send(message(VISITOR));
  expect(plain?.outcome).toBe('deferred');
  const wrong = await sender(settings({ password: 'another' }))?.send(message(VISITOR));
  expect(wrong).toEqual({ outcome: 'deferred', reason: '535' });
});

test('[MAIL-12] no address, name or subject can add a header or a recipient', async () => {
  const evil = 'x\r\nBcc: nobody@example.org\r\n\r\n<script>';
  for (const to of [
    `${VISITOR}\r\nRCPT TO:<${NOBODY}>`,
    `${VISITOR},${NOBODY}`,
    `<${VISITOR}>`,
    `"a b"@example.org`,
    '',
  ])
    expect(await sender()?.send(message(to))).toEqual({ outcome: 'refused', reason: 'address' });
  const before = smtp.stored().length;
  expect(await sender()?.send({ ...message(VISITOR), fromName: evil, subject: evil })).toEqual({
    outcome: 'sent',
  });
  await vi.waitFor(() => expect(smtp.stored()).toHaveLength(before + 1), soon);
  const [head = ''] = (smtp.stored().find((mail) => mail.includes('script')) ?? '').split('\n\n');
  expect(head).not.toMatch(/^Bcc:/im);
  expect(head).toMatch(/^Subject: .*Bcc/m);
});

/** Leaves an address and lets the job for the code run. */
async function leave(address: string, alias = `post-${randomUUID().slice(0, 8)}`) {
  const chat = await createChat(world.server, alias);
  const path = `/conversations/${chat.conversationId}/mail`;
  expect((await chat.visitor.call('PUT', path, { address })).status).toBe(200);
  await world.runJobs();
  return { ...chat, alias, path };
}
const jobs = () =>
  world.query(
    `select attempts, extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs where task_identifier = 'mail'`,
  );
const forgetLimits = () => world.query('delete from rate_limits');

test('[MAIL-14] a mail server that asks to try again later gets the mail later', async () => {
  await smtp.restart(greylisted);
  const before = smtp.stored().length;
  const { visitor, path } = await leave(VISITOR);
  const delays: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    const [job] = await jobs();
    delays.push(job?.seconds as number);
    await world.query(`update graphile_worker._private_jobs set run_at = now()`);
    await world.runJobs();
  }
  // Each wait is longer than the one before.
  expect(delays.toSorted((a, b) => a - b)).toEqual(delays);
  expect(smtp.stored()).toHaveLength(before);
  expect((await visitor.call('GET', path)).body.mail.refused).toBe(false);

  await smtp.restart(everybody);
  await world.query(`update visitor_mails set code_expires_at = now() + interval '1 minute'`);
  await world.query(`update graphile_worker._private_jobs set run_at = now()`);
  await world.runJobs();
  await vi.waitFor(() => expect(smtp.stored()).toHaveLength(before + 1), soon);
  expect(await jobs()).toEqual([]);
  // The visitor has the full time for the code.
  const [{ minutes } = {}] = await world.query(
    'select extract(epoch from max(code_expires_at) - now())::float8 / 60 as minutes from visitor_mails',
  );
  expect(minutes).toBeGreaterThan(29);
  expect((await visitor.call('POST', `${path}/confirm`, { code: storedCode() })).status).toBe(200);
  await forgetLimits();
});

test('[MAIL-14] a refused address gets no more mails; the visitor is told, and administrators see counts without addresses', async () => {
  const refusedCode = await leave(NOBODY);
  expect(await jobs()).toEqual([]);
  expect((await refusedCode.visitor.call('GET', refusedCode.path)).body.mail.refused).toBe(true);

  const count = smtp.stored().length + 1;
  const { visitor, path, conversationId, alias } = await leave(VISITOR);
  await vi.waitFor(() => expect(smtp.stored()).toHaveLength(count), soon);
  expect((await visitor.call('POST', `${path}/confirm`, { code: storedCode() })).status).toBe(200);
  // The mailbox is closed later.
  await smtp.restart({ people: ['other@example.org'] });
  const handler = await createStaff(world.server, alias);
  await say(handler, conversationId);
  await world.mailReplies();
  expect((await visitor.call('GET', path)).body.mail).toMatchObject({
    address: 'v…@example.org',
    refused: true,
  });
  await smtp.restart(everybody);
  await say(handler, conversationId);
  await world.mailReplies();
  expect(smtp.stored()).toHaveLength(count);

  const { figures } = (await (await createAdministrator(world.server)).call('GET', '/manage/mail')).body;
  expect(figures).toContainEqual(
    expect.objectContaining({
      kind: 'reply',
      outcome: 'refused',
      count: 1,
      lastReason: expect.stringMatching(/^5\d\d 5\.\d\.\d$/),
    }),
  );
  expect(figures).toContainEqual(
    expect.objectContaining({ kind: 'code', outcome: 'deferred', lastReason: '451 4.7.1' }),
  );
  expect(JSON.stringify(figures)).not.toContain('@');
  const stored = JSON.stringify(await world.query('select * from mail_figures'));
  expect(stored).not.toContain('example.org');
});

test('doctor checks connection, STARTTLS and password, and sends a test message on request', async () => {
  const config = (mail = settings()) => ({ ...world.server.app.config, mail });
  const found = async (mail = settings(), to?: string, ca: string | undefined = smtp.certificate) => {
    const about = new About('mail');
    const own = config(mail);
    await checkMail(about, own, openMail(own, { ca }), to);
    return about.found.map(({ level, says }) => `${level}: ${says}`);
  };
  const where = `localhost:${smtp.port}`;
  const ok = `ok: ${where} answers with STARTTLS and takes the password`;
  const before = smtp.stored().length;
  expect(await found()).toEqual([ok]);
  expect(smtp.stored()).toHaveLength(before);
  expect(await found(settings(), VISITOR)).toEqual([ok, `ok: ${where} took a test message for ${VISITOR}`]);
  await vi.waitFor(() => expect(smtp.stored()).toHaveLength(before + 1), soon);
  const [, refused] = await found(settings(), NOBODY);
  expect(refused).toMatch(/^failure: .* did not take a test message for nobody@example\.org \(5/);
  expect(await found(settings({ password: 'another' }))).toEqual([
    `failure: ${where} refuses the user or the password`,
  ]);
  expect(await found(mailSettings({ SMTP_URL: 'smtp://localhost:1' }))).toEqual([
    'failure: localhost:1 does not answer (ECONNREFUSED)',
  ]);
});

const metric = async (line: string) =>
  Number(
    new RegExp(`^settee_mail_total\\{${line}\\} (\\d+)$`, 'm').exec(await world.metrics.text(undefined))?.[1],
  );

/** A visitor who confirmed an address, and the handler of the desk. */
async function confirmed() {
  const count = smtp.stored().length + 1;
  const chat = await leave(VISITOR);
  await vi.waitFor(() => expect(smtp.stored()).toHaveLength(count), soon);
  const { status } = await chat.visitor.call('POST', `${chat.path}/confirm`, { code: storedCode() });
  expect(status).toBe(200);
  await forgetLimits();
  const row = async () => {
    const [found] = await world.query(
      `select tries, extract(epoch from due_at - now())::float8 as seconds,
         extract(epoch from due_at - mailed_at)::float8 as apart from visitor_mails where conversation_id = $1`,
      [chat.conversationId],
    );
    return found as { tries: number; seconds: number | null; apart: number | null };
  };
  const refused = async () => (await chat.visitor.call('GET', chat.path)).body.mail.refused as boolean;
  return { ...chat, handler: await createStaff(world.server, chat.alias), row, refused };
}

test('[MAIL-14] only an answer about the address itself refuses it', async () => {
  const expected = {
    '550 5.1.1 No such user': 'refused',
    '553 No such user': 'refused',
    '554 5.7.1 Relay access denied': 'deferred',
    '553 5.7.1 Sender address rejected': 'deferred',
    '552 5.2.2 Mailbox full': 'deferred',
    '554 Rejected': 'deferred',
  };
  const addressOf = (answer: string) => `${answer.replace(/\W/g, '-')}@example.org`;
  const found = Object.keys(expected);
  const answers = Object.fromEntries(found.map((answer) => [addressOf(answer), answer]));
  await smtp.restart({ ...everybody, answers });
  const outcomes = found.map(async (answer) => [
    answer,
    (await sender()?.send(message(addressOf(answer))))?.outcome,
  ]);
  expect(Object.fromEntries(await Promise.all(outcomes))).toEqual(expected);
  await smtp.restart(everybody);
});

test('[MAIL-14] a mail about replies is tried again unless the visitor is here or saw it, and further replies do not begin the attempts again', async () => {
  const { conversationId, handler, row } = await confirmed();
  await smtp.restart(greylisted);
  const givenUp = await metric('kind="reply",outcome="given_up"');
  await say(handler, conversationId);
  await world.mailReplies();
  expect(await jobs()).toEqual([]);
  expect((await row()).tries).toBe(1);
  // Long enough for the gateways to see that the visitor is here.
  expect((await row()).seconds).toBeGreaterThan(50);
  await world.query(`update visitor_mails set due_at = now() + interval '5 seconds'`);
  const present = { get: () => ({ hasVisitor: () => true }) };
  await postponeForPresent(world.server.app, present as never);
  expect((await row()).seconds).toBeGreaterThan(50);

  const see = (seq: string) =>
    world.query(`update conversations set visitor_seen = ${seq} where id = $1`, [conversationId]);
  await see('last_seq');
  await world.mailReplies();
  expect(await row()).toMatchObject({ tries: 0, seconds: null });
  await see('last_seq - 1');

  const delays: number[] = [];
  for (let tries = 1; tries < 10; tries += 1) {
    await say(handler, conversationId);
    await world.mailReplies();
    const now = await row();
    expect(now.tries).toBe(tries);
    delays.push(now.seconds ?? 0);
  }
  expect(delays.map((seconds) => Math.round(seconds / 60)).toSorted((a, b) => a - b)).toEqual(
    delays.map((seconds) => Math.round(seconds / 60)),
  );
  expect(delays.at(-1)).toBeGreaterThan(2 * 3_600);
  await world.mailReplies();
  expect(await row()).toMatchObject({ tries: 0, seconds: null });
  expect(await metric('kind="reply",outcome="given_up"')).toBe(givenUp + 1);
  await smtp.restart(everybody);
});

/** Takes every mail, and never says so. */
async function startSilentServer() {
  const mails: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 silent\r\n');
    let content: string[] | undefined;
    createInterface({ input: socket }).on('line', (line) => {
      if (content === undefined) {
        if (line === 'DATA') content = [];
        socket.write(line === 'DATA' ? '354 go on\r\n' : '250 ok\r\n');
      } else if (line === '.') mails.push(content.join('\n'));
      else content.push(line);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { mails, port, stop: () => server.close() };
}

test('[MAIL-05] [MAIL-14] a mail that a mail server took without an answer is sent again ten minutes later, with the same Message-ID', async () => {
  const { conversationId, handler, row } = await confirmed();
  const silent = await startSilentServer();
  const mail = mailSettings({ SMTP_URL: `smtp://127.0.0.1:${silent.port}`, SMTP_TLS: 'off' });
  const sender = openMail({ mail, publicUrl: 'https://chat.example' }, { silenceMs: 5_000 }) as MailSender;
  await say(handler, conversationId);
  await world.mailReplies({ sender });
  const { tries, apart } = await row();
  expect(tries).toBe(1);
  expect(apart).toBe(600);
  await world.mailReplies({ sender });
  const ids = silent.mails.map((source) => /^Message-ID: (.*)$/im.exec(source)?.[1]);
  expect(ids).toHaveLength(2);
  expect(ids[0]).toMatch(/^<mail-[0-9a-f]{32}@settee\.example>$/);
  expect(ids[1]).toBe(ids[0]);
  await say(handler, conversationId);
  await world.mailReplies({ sender });
  expect(silent.mails.at(-1)).not.toContain(ids[0]);
  silent.stop();
});
