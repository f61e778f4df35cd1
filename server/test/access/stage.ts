import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scope } from '@settee/protocol/model/apiKey';
import { openDiskMedia } from '../../src/media/diskMedia.adapter.ts';
import { systemClock, systemRandom } from '../../src/platform/adapters/system.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { createAdmin } from '../../src/staff/people/createAccount.ts';
import { Browser, invite, PASSWORD } from '../support/browser.ts';
import type { TestServer } from '../support/harness.ts';
import { mailSettings } from '../support/mailWorld.ts';
import { createAdministrator, createChat, createStaff, endGrace, type Person } from '../support/people.ts';
import { type PushWorld, startPushWorld } from '../support/pushWorld.ts';

/** Every kind of caller. */
export const CALLERS = [
  'anonymous',
  'visitor',
  'otherVisitor',
  'handler',
  'otherHandler',
  'admin',
  'signedOut',
  'unverified',
  'key',
  'revokedKey',
] as const;
export type CallerName = (typeof CALLERS)[number];

/** Visitors come with the stage: each has a conversation there. */
export type StaffName = Exclude<CallerName, 'visitor' | 'otherVisitor'>;
export type StaffCallers = Record<StaffName, Person>;

/** These strings occur nowhere else: the identity firewall test searches for them too. */
export const DESK = 'zq-walnut-desk';
export const OTHER_DESK = 'zq-copper-desk';

const makers: Record<StaffName, (server: TestServer) => Promise<Person>> = {
  anonymous: async (server) => nobody(server),
  handler: (server) => createStaff(server, DESK),
  otherHandler: (server) => createStaff(server, OTHER_DESK),
  admin: createAdministrator,
  async signedOut(server) {
    const person = await createStaff(server, DESK);
    await person.call('POST', '/auth/staff/sign-out');
    return person;
  },
  unverified: createUnverified,
  key: async (server) => (await createKey(server)).person,
  async revokedKey(server) {
    const { admin, id, person } = await createKey(server);
    await admin.call('DELETE', `/manage/keys/${id}`);
    return person;
  },
};

export function isStaffName(caller: CallerName): caller is StaffName {
  return Object.hasOwn(makers, caller);
}

/** Creates a new caller of this kind with a separate account. */
export function createStaffCaller(server: TestServer, caller: StaffName): Promise<Person> {
  return makers[caller](server);
}

export async function createCallers(server: TestServer): Promise<StaffCallers> {
  const made = {} as StaffCallers;
  for (const caller of CALLERS.filter(isStaffName)) made[caller] = await createStaffCaller(server, caller);
  return made;
}

/** A program with an API key that has every scope, or these. */
export async function createKey(
  server: TestServer,
  scopes: readonly Scope[] = Scope.options,
): Promise<{ admin: Person; id: string; person: Person }> {
  const admin = await createAdministrator(server);
  const { body } = await admin.call('POST', '/manage/keys', { name: 'Shop', scopes, days: null });
  const browser = new Browser(server);
  browser.token = body.secret;
  const person: Person = {
    browser,
    call: (method, path, given) => browser.call(method, path, given),
    live: () => Promise.reject(new Error('no socket with a key')),
  };
  return { admin, id: body.key.id, person };
}

function nobody(server: TestServer): Person {
  return {
    browser: new Browser(server),
    // A new browser each time, without cookies of an earlier answer.
    call: (method, path, body) => new Browser(server).call(method, path, body),
    live: () => Promise.reject(new Error('nobody has no token')),
  };
}

/** An administrator with only a password, whose grace period for a second factor has ended. */
async function createUnverified(server: TestServer): Promise<Person> {
  const email = `unverified.${randomUUID()}@settee.example`;
  await createAdmin(server.app, { email, name: 'Unverified', password: PASSWORD }, 'test');
  const browser = new Browser(server);
  const reply = await browser.call('POST', '/auth/staff/sign-in', { email, password: PASSWORD });
  browser.token = reply.body.idToken;
  await endGrace(server, email);
  return {
    browser,
    call: (method, path, body) => browser.call(method, path, body),
    live: () => Promise.reject(new Error('no socket without a second factor')),
  };
}

/** Existing data for requests. Each visitor has a conversation; the requests are about that of `visitor`. */
export type Stage = {
  world: Pick<PushWorld, 'server' | 'service'>;
  server: TestServer;
  staff: StaffCallers;
  people: Record<CallerName, Person>;
  conversationId: string;
  /** The link of that conversation and its code, and an unused link. */
  token: string;
  code: string;
  freshToken: string;
  inviteId: string;
  /** An image of the visitor that is ready but not sent, and one that was sent. */
  mediaId: string;
  sentMediaId: string;
  /** A saved reply of the handler. */
  replyId: string;
  /** A staff member who makes no calls, at a separate desk. */
  personId: string;
  spareDesk: string;
  /** The address of a staff member who can sign in. */
  email: string;
  /** A new, unsubscribed browser. */
  newBrowser(): { endpoint: string; p256dh: string; auth: string };
};

export async function setStage(
  world: Pick<PushWorld, 'server' | 'service'>,
  staff: StaffCallers,
): Promise<Stage> {
  const { server, service } = world;
  const { pool } = server.app.db;
  await pool.query('update brand set visitor_mail = true');
  const chat = await createChat(server, DESK);
  const other = await createChat(server, OTHER_DESK);
  const { conversationId, visitor } = chat;
  const path = `/conversations/${conversationId}`;
  await visitor.call('PUT', `${path}/visitorName`, { visitorName: 'Visitor' });
  await visitor.call('POST', `${path}/messages`, { id: randomUUID(), text: 'hello' });
  const picture = async (messageId: string | null): Promise<string> => {
    const id = randomUUID();
    const lies = randomBytes(16).toString('hex');
    await pool.query(
      `insert into media (id, conversation_id, from_owner, author_id, state, staged_path, staged_type, staged_bytes,
         path, file_name, media_type, bytes, width, height, thumbhash, message_id)
       values ($1, $2, false, $3, 'ready', $4, 'image/png', 9, $5, 'cat.png', 'image/png', 9, 3, 2, 'AAAA', $6)`,
      [
        id,
        conversationId,
        visitor.browser.visitorId,
        `uploads/${conversationId}/${lies}`,
        `conversations/${conversationId}/media/${lies}_1.png`,
        messageId,
      ],
    );
    return id;
  };
  const replyId = randomUUID();
  const shortcut = `r${randomBytes(4).toString('hex')}`;
  await staff.handler.call('PUT', `/replies/${replyId}`, { shortcut, text: 'Thank you!', shared: false });
  const { rows } = await pool.query(
    `select invite_id, (select email from staff where alias = $2 limit 1) as email from conversations where id = $1`,
    [conversationId, DESK],
  );
  const spareDesk = `spare-${randomBytes(4).toString('hex')}`;
  const added = await staff.admin.call('POST', '/manage/staff', {
    name: 'Spare',
    email: `${spareDesk}@settee.example`,
    role: 'handler',
    alias: spareDesk,
  });
  return {
    world,
    server,
    staff,
    people: { ...staff, visitor, otherVisitor: other.visitor },
    conversationId,
    token: chat.token,
    code: chat.code,
    freshToken: await invite(server, DESK),
    inviteId: rows[0].invite_id,
    mediaId: await picture(null),
    sentMediaId: await picture(randomUUID()),
    replyId,
    personId: added.body.id,
    spareDesk,
    email: rows[0].email,
    newBrowser: () => service.subscription(randomUUID()),
  };
}

/** The stage and the caller for a call that succeeds, if it cannot use this stage or this caller again. */
export async function stageFor(
  rule: { spends?: true; ownAccount?: true },
  stage: Stage,
  caller: CallerName,
): Promise<Stage> {
  const { server, staff } = stage;
  const own = rule.spends ? await setStage(stage.world, staff) : stage;
  if (!rule.ownAccount || !isStaffName(caller)) return own;
  return { ...own, people: { ...own.people, [caller]: await createStaffCaller(server, caller) } };
}

/** Starts everything that the rules need, including images that a gateway serves itself and a push service. */
export async function startAccessWorld(config: Partial<Config> = {}): Promise<PushWorld> {
  const mediaRoot = mkdtempSync(join(tmpdir(), 'settee-media-'));
  const secret = 'a secret for tests, long enough to pass';
  const media = await openDiskMedia(
    { mediaRoot, publicUrl: 'http://settee.test', secret },
    { clock: systemClock, random: systemRandom },
  );
  const world = await startPushWorld({
    media,
    // Everyone needs a second factor, as the table in who.ts expects.
    config: {
      lookupsPerMinute: 10_000,
      codesPerHour: 10_000,
      secondFactor: 'everyone',
      // Nothing listens there: the answers are those of a failed sign-in.
      singleSignOn: { issuer: 'http://127.0.0.1:1', clientId: 'x', clientSecret: 'x', name: 'Example Login' },
      // Nothing listens there either: the jobs do not run.
      mail: mailSettings({ SMTP_URL: 'smtp://127.0.0.1:1' }),
      ...config,
    },
  });
  return {
    ...world,
    async stop() {
      await world.stop();
      rmSync(mediaRoot, { recursive: true });
    },
  };
}
