import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessTo, readAs } from '../../src/access/access.ts';
import { withEnds } from '../../src/cells/copyRows.store.ts';
import { moveDesk, stayHere } from '../../src/cells/moveDesk.ts';
import { decryptAddress, encryptAddress, unsubscribeToken } from '../../src/mail/mailSecrets.ts';
import { openDiskMedia } from '../../src/media/diskMedia.adapter.ts';
import { systemClock, systemRandom } from '../../src/platform/adapters/system.ts';
import { raiseFence } from '../../src/platform/db/fence.ts';
import { decryptTotpSecret, encryptTotpSecret } from '../../src/staff/account/totp.ts';
import { callerFromIdToken } from '../../src/staff/callers.ts';
import { createAdmin } from '../../src/staff/people/createAccount.ts';
import { Browser, claimed, handler, invite, PASSWORD, signedInHandler } from '../support/browser.ts';
import { buildPages } from '../support/builtPages.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { createAdministrator, say } from '../support/people.ts';

const pages = buildPages();
const folder = mkdtempSync(join(tmpdir(), 'settee-cells-'));
let [a0, b7]: TestServer[] = [];
let names = 0;

async function startCell(cell: string): Promise<TestServer> {
  const secret = `the secret of the cell ${cell}, long enough to pass`;
  const mediaRoot = join(folder, cell);
  const parts = { clock: systemClock, random: systemRandom };
  const media = await openDiskMedia({ publicUrl: 'http://settee.test', secret, mediaRoot }, parts);
  return startTestServer({ config: { cell, secret, mediaRoot, webRoot: pages.folder }, media });
}

beforeAll(async () => {
  [a0, b7] = await Promise.all(['a0', 'b7'].map(startCell));
});
afterAll(async () => {
  await Promise.all([a0?.close(), b7?.close()]);
  pages.remove();
  rmSync(folder, { recursive: true });
});

function cells(): [TestServer, TestServer] {
  if (a0 === undefined || b7 === undefined) throw new Error('no cells');
  return [a0, b7];
}

function configOf({ app, ownerUrl }: TestServer) {
  return { ...app.config, databaseOwnerUrl: ownerUrl };
}

function move(from: TestServer, to: TestServer, alias: string) {
  const cell = (server: TestServer) => ({ config: configOf(server), media: server.app.media });
  return withEnds(configOf(from), configOf(to), (ends) =>
    moveDesk({ alias, from: cell(from), to: cell(to), ends, random: systemRandom, log: () => {} }),
  );
}

/** The same browser, after the router sends it to another cell. */
function elsewhere(browser: Browser, server: TestServer): Browser {
  const moved = new Browser(server);
  moved.cookies = browser.cookies;
  return moved;
}

const nextDesk = (): string => `desk-${names++}`;
const ask = async (server: TestServer, text: string, ...values: unknown[]) =>
  (await server.app.db.pool.query(text, values)).rows;

/** Returns the path of its object. */
async function addImage(server: TestServer, conversationId: string): Promise<string> {
  const path = `conversations/${conversationId}/${randomUUID()}.webp`;
  await server.app.media.put(path, Buffer.from('an image'), 'image/webp');
  await ask(
    server,
    `insert into media (id, conversation_id, from_owner, author_id, state, staged_path, staged_type, staged_bytes, path,
       file_name, media_type, bytes, width, height, thumbhash)
     values ($1, $2, false, $1, 'ready', $3, 'image/png', 8, $4, 'a.png', 'image/webp', 8, 1, 1, '')`,
    randomUUID(),
    conversationId,
    `uploads/${randomUUID()}`,
    path,
  );
  return path;
}

test('[CELL-08] [CONSOLE-46] images, notes, names, authenticator apps and sessions move, and come back with the desk', async () => {
  const [from, to] = cells();
  const alias = nextDesk();
  const staff = await signedInHandler(from, alias);
  const administrator = await createAdministrator(from);
  const { browser, conversationId, token } = await claimed(from, await invite(from, alias));
  await browser.call('PUT', '/visitorProfile', { displayName: 'Ada' });
  await say(browser, conversationId);
  const noted = await administrator.call('POST', `/conversations/${conversationId}/notes`, {
    id: randomUUID(),
    text: 'of an administrator',
  });
  expect(noted.status).toBe(200);
  const path = await addImage(from, conversationId);
  const [person] = (await ask(from, 'select id from staff where alias = $1', alias)) as { id: string }[];
  const staffId = person?.id ?? '';
  await ask(
    from,
    'insert into staff_totp (staff_id, secret, last_step) values ($1, $2, 0)',
    staffId,
    encryptTotpSecret(from.app, staffId, 'SECRET'),
  );
  await ask(from, 'update staff_sessions set second_factor_at = now() where staff_id = $1', staffId);
  await staff.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
  await ask(from, "insert into desk_hours (alias, time_zone, week) values ($1, 'UTC', '[]')", alias);
  await ask(
    from,
    `with k as (
       insert into api_keys (key_hash, prefix, name, scopes) values ('hash', 'settee_', 'Shop', '{}') returning id
     )
     insert into api_key_reads (conversation_id, key_id) select $1, id from k`,
    conversationId,
  );
  const figures = 'select coalesce(sum(conversations), 0)::integer as n from figures_fresh';
  const before = await ask(to, figures);

  expect(await move(from, to, alias)).toMatchObject({ conversations: 1, messages: 1, images: 1 });

  expect(await ask(to, figures)).toEqual(before);
  expect((await browser.signIn()).status).toBe(503);
  expect(browser.cookies['settee-cell']).toBe('b7');
  const visitor = elsewhere(browser, to);
  await visitor.signIn();
  expect(visitor.visitorId).not.toBe('');
  expect((await visitor.call('GET', '/visitorProfile')).body.profile.displayName).toBe('Ada');
  expect(await visitor.canRead(conversationId)).toBe(true);
  expect(Buffer.from((await to.app.media.get(path, 8)) ?? '').toString()).toBe('an image');
  expect(await from.app.media.head(path)).toBeUndefined();
  for (const table of ['visitor_profiles', 'desk_hours', 'api_key_reads'])
    expect(await ask(from, `select from ${table}`)).toEqual([]);
  const moved = elsewhere(staff, to);
  moved.token = (await moved.call('POST', '/auth/staff/refresh', {})).body.idToken;
  const notes = await moved.call('GET', `/conversations/${conversationId}/notes`);
  expect(JSON.stringify(notes.body)).toContain('of an administrator');
  await expect.poll(async () => (await moved.call('GET', '/search?q=hello')).body.messages).toHaveLength(1);
  const [totp] = (await ask(to, 'select secret from staff_totp where staff_id = $1', staffId)) as {
    secret: Buffer;
  }[];
  expect(decryptTotpSecret(to.app, staffId, totp?.secret ?? Buffer.of())).toBe('SECRET');

  expect(await move(to, from, alias)).toMatchObject({ conversations: 1, messages: 1, images: 1 });
  const home = elsewhere(visitor, from);
  await home.signIn();
  expect(await home.canRead(conversationId)).toBe(true);
  expect((await home.call('GET', `/checkInvite/${token}`)).status).toBe(200);
  const again = elsewhere(moved, from);
  expect((await again.call('POST', '/auth/staff/refresh', {})).status).toBe(200);
});

/** Raises the fence, as a move that is killed then does. */
const pause = (from: TestServer, to: TestServer, alias: string) =>
  withEnds(configOf(from), configOf(to), async ({ source }) => raiseFence(source, alias));

const cancel = (from: TestServer, to: TestServer, alias: string) =>
  withEnds(configOf(from), configOf(to), (ends) =>
    stayHere({ alias, ends, from: { config: configOf(from), media: from.app.media } }),
  );

test('[CELL-08] a console that opens a chat while its desk leaves goes to the other cell', async () => {
  const [from, to] = cells();
  const alias = nextDesk();
  const console = await signedInHandler(from, alias);
  const { conversationId } = await claimed(from, await invite(from, alias));
  const { caller } = await callerFromIdToken(from.app, console.token);
  const access = await accessTo(from.app, caller, conversationId);
  const leaves = readAs(from.app, access, () => move(from, to, alias));
  await expect(leaves).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('an error before the switch leaves the desk where it is, and the same command moves it later', async () => {
  const [from, to] = cells();
  const alias = nextDesk();
  await handler(from, alias);
  const { browser, conversationId } = await claimed(from, await invite(from, alias));
  const path = `/conversations/${conversationId}/messages`;
  const send = () => say(browser, conversationId);
  await send();
  // The other cell has everything when this happens.
  await from.asOwner('create trigger broken before insert on moved execute function refuse_audit_change()');
  await expect(move(from, to, alias)).rejects.toThrow();
  await from.asOwner('drop trigger broken on moved');
  for (const rows of [
    ...[
      'staff where alias = $1',
      'invites where handler_alias = $1',
      'conversations where handler_alias = $1',
    ],
    'arriving_desks where alias = $1',
  ])
    expect(await ask(to, `select from ${rows}`, alias), rows).toEqual([]);
  expect(await ask(to, 'select from messages where conversation_id = $1', conversationId)).toEqual([]);
  expect((await send()).status).toBe(200);
  expect(await move(from, to, alias)).toMatchObject({ conversations: 1, messages: 2 });
  const visitor = elsewhere(browser, to);
  await visitor.signIn();
  expect((await visitor.call('GET', path)).body.messages).toHaveLength(2);
});

test('the pause of a killed move refuses changes of this desk only, until it is cancelled', async () => {
  const [from, to] = cells();
  const [alias, other] = [nextDesk(), nextDesk()];
  const chats = [
    await claimed(from, await invite(from, alias)),
    await claimed(from, await invite(from, other)),
  ];
  const statuses = () =>
    Promise.all(
      chats.map(async ({ browser, conversationId }) => (await say(browser, conversationId)).status),
    );
  await pause(from, to, alias);
  expect(await statuses()).toEqual([503, 200]);
  await cancel(from, to, alias);
  expect(await statuses()).toEqual([200, 200]);
});

test('[MAIL-07] an address that got a mail does not move with the desk, and none can be removed during the pause', async () => {
  const [from, to] = cells();
  const alias = nextDesk();
  await handler(from, alias);
  const chats = [
    await claimed(from, await invite(from, alias)),
    await claimed(from, await invite(from, alias)),
  ];
  const addresses = ['new@example.org', 'mailed@example.org'];
  for (const [at, { browser, conversationId: id }] of chats.entries())
    await ask(
      from,
      'insert into visitor_mails (conversation_id, visitor_id, address, mailed_at) values ($1, $2, $3, $4)',
      ...[
        id,
        browser.visitorId,
        encryptAddress(from.app, id, addresses[at] ?? ''),
        at === 0 ? null : new Date(),
      ],
    );
  const [fresh, mailed] = chats.map(({ conversationId }) => conversationId);
  await pause(from, to, alias);
  expect((await chats[0]?.browser.call('DELETE', `/conversations/${fresh}/mail`))?.status).toBe(503);
  const link = `${from.url}/mail/off/${unsubscribeToken(from.app, mailed ?? '')}`;
  expect((await fetch(link, { method: 'POST' })).status).toBe(503);
  // Of a worker.
  await ask(from, 'update visitor_mails set due_at = now() where conversation_id = $1', fresh);

  await move(from, to, alias);
  const rows = (await ask(to, 'select conversation_id as id, address from visitor_mails')) as {
    id: string;
    address: Buffer;
  }[];
  expect(rows.map(({ id, address }) => [id, decryptAddress(to.app, id, address)])).toEqual([
    [fresh, 'new@example.org'],
  ]);
  const left = 'select from visitor_mails where conversation_id = any ($1)';
  expect(await ask(from, left, [fresh, mailed])).toEqual([]);
  expect((await fetch(link, { method: 'POST' })).status).toBe(200);
});

test('a desk is not moved if its name, an address or an administrator would be in the way', async () => {
  const [from, to] = cells();
  const alias = nextDesk();
  const { email } = await handler(from, alias);
  await expect(move(from, from, alias)).rejects.toThrow('Both cells have the same CELL');
  await expect(move(from, to, 'nobody')).rejects.toThrow('There is no desk nobody');
  await createAdmin(to.app, { email: email.toUpperCase(), name: 'Same', password: PASSWORD }, 'test');
  await expect(move(from, to, alias)).rejects.toThrow(email);
  await ask(from, "update staff set role = 'admin' where email = $1", email);
  await expect(move(from, to, alias)).rejects.toThrow('Administrators stay in their cell');
  await handler(to, alias);
  await expect(move(from, to, alias)).rejects.toThrow(`The other cell has a desk ${alias} too`);
});

test('the page of a link whose desk moved redirects to its cell, once', async () => {
  const [from, to] = cells();
  const alias = nextDesk();
  await handler(from, alias);
  const token = await invite(from, alias);
  expect((await from.request('GET', `/i/${token}`)).status).toBe(200);
  await move(from, to, alias);
  // The page does not wait longer than a second for the database.
  await expect
    .poll(async () => {
      const page = await from.request('GET', `/i/${token}`);
      return [page.status, page.headers.get('location')];
    })
    .toEqual([302, `/i/${token}?cell=b7`]);
  for (const server of [from, to]) {
    expect((await server.request('GET', `/i/${token}?cell=b7`)).status).toBe(200);
  }
});
