import type { Config } from '../../../server/src/config/config.ts';
import { type Call, call, type Draw, transaction, unordered } from './call.ts';
import { type Drawing, GATEWAYS } from './drawing.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The clock of the database goes on, sometimes by days. */
const advance: Draw = ({ random, state }): Call => {
  const most = random.pick([20, SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, HOUR_MS, 3 * DAY_MS]);
  const at = state.now() + random.whole(1, most);
  return { name: 'advance', args: [new Date(at)], run: (side) => side.setClock(at) };
};

type Rules = Pick<Config, 'secondFactor' | 'sessions'>;

/** A gateway has one policy, and some statements are prepared for it. */
const RULES: Rules = {
  secondFactor: 'administrators',
  sessions: { handler: { days: 30, idleHours: 72 }, admin: { days: 7, idleHours: 12 } },
};

function anyRules({ random }: Drawing): Rules {
  return { ...RULES, secondFactor: random.pick(['administrators', 'everyone', 'optional']) };
}

export const insertSession: Draw = (drawing) => {
  const { random } = drawing;
  return call('insertSession', {
    staffId: drawing.person(),
    tokenHash: drawing.bytes(),
    days: random.whole(1, 30),
    proof: { secondFactor: random.chance(0.5), recent: random.chance(0.5) },
    browser: '',
    network: '',
  });
};

const ROLES = ['handler', 'admin', 'none'];

const insertAccount: Draw = (drawing) => {
  const { random } = drawing;
  const email = `${random.pick(['Ann', 'ann', 'Bo', 'cy', 'Di'])}@example.test`;
  const alias = random.pick([null, drawing.desk()]);
  const passwordHash = random.pick([null, 'hash']);
  return call('insertAccount', { email, name: `N ${email}`, passwordHash, role: random.pick(ROLES), alias });
};

const updatePerson: Draw = (drawing) => {
  const { random, state } = drawing;
  const id = drawing.person();
  const role = random.pick(['handler', 'admin'] as const);
  const alias = random.pick([null, drawing.desk()]);
  const email = state.staff.get(random.chance(0.1) ? drawing.person() : id)?.email ?? '';
  const person = { name: random.pick(['Ann Lee', 'Bo']), email, role, alias };
  const promoted = random.chance(0.3);
  return transaction(drawing, 'change a person', [id, person, promoted], async (f, db) => {
    const before = await f.lockAccount(db, id);
    const updated = await f.updatePerson(db, id, person, { promoted });
    if (updated) await f.movePushSubscriptions(db, id, alias);
    return { before, updated };
  });
};

const setActive: Draw = (drawing) => {
  const id = drawing.person();
  const active = drawing.random.chance(0.7);
  return transaction(drawing, 'activate or deactivate', [id, active], async (f, db) => {
    await f.setActive(db, id, active);
    return active ? 0 : f.endSessionsOf(db, id);
  });
};

const signOut: Draw = (drawing) => {
  const tokenHash = drawing.sessionHash();
  return transaction(drawing, 'sign out', [tokenHash], async (f, db) => {
    const staffId = await f.revokeSession(db, tokenHash);
    await f.dropPushOfSession(db, tokenHash);
    return staffId;
  });
};

const endSessions: Draw = (drawing) => {
  const { random } = drawing;
  const except = random.pick([null, drawing.session()]);
  return call('endSessionsOf', drawing.person(), { except, withoutFactorOnly: random.chance(0.3) });
};

const endSession: Draw = (drawing) => {
  const id = drawing.session();
  return call('endSession', { id, staffId: drawing.state.sessions.get(id)?.staffId ?? drawing.person() });
};

const subscribe: Draw = (drawing) => {
  const { random, state } = drawing;
  const [session] = random.shuffled(state.sessions.where(({ revokedAt }) => revokedAt === null));
  const person = session && state.staff.get(session.staffId);
  const endpoint = `https://push.example/${random.whole(1, 5)}`;
  const keys = { p256dh: random.pick(['p', 'q']), auth: 'a' };
  const owner =
    person?.alias && session && random.chance(0.5)
      ? ({ kind: 'staff', staffId: person.id, sessionId: session.id, alias: person.alias } as never)
      : drawing.visitor();
  return call('upsertPushSubscription', owner, { endpoint, ...keys });
};

const sender = (drawing: Drawing) => {
  const conversationId = drawing.conversation();
  const fromOwner = drawing.random.chance(0.4);
  const authorId = fromOwner ? drawing.person() : drawing.visitorOf(conversationId).visitorId;
  return { conversationId, fromOwner, authorId };
};

/** As in actions/media/uploads.ts. */
const beginUpload: Draw = (drawing) => {
  const { random } = drawing;
  const from = sender(drawing);
  const id = random.chance(0.1) ? drawing.picture() : random.uuid();
  const file = { type: 'image/png', bytes: random.whole(1, 999), fileName: 'a.png' };
  const upload = { ...from, id, ...file, stagedPath: random.uuid(), path: random.uuid() };
  return transaction(drawing, 'begin an upload', [upload], async (f, db) => {
    if (!(await f.lockConversation(db, from.conversationId))) return 'gone';
    const before = await f.findUpload(db, id, from);
    const today = await f.countUploads(db, from);
    const made = await f.insertUpload(db, upload);
    return { before, today, made };
  });
};

/** As a worker does. */
const makePicture: Draw = (drawing) => {
  const { random } = drawing;
  const id = drawing.picture();
  const path = `media/${random.uuid()}`;
  const refused = random.chance(0.1);
  const picture = { type: 'image/webp', bytes: 9, width: 3, height: 2, thumbhash: 'AA', fileName: 'b.webp' };
  return {
    name: 'make a picture',
    args: [id, path, refused],
    async run({ f, db }) {
      await f.startProcessing(db, id);
      const work = await f.findWork(db, id);
      const mishaps = work && refused ? await f.countFailedAttempt(db, id) : 0;
      const former = await f.takePath(db, id, path);
      if (refused) return { work, mishaps, refused: await f.markRefused(db, id) };
      return { work, former, ready: await f.markReady(db, id, { path, ...picture }) };
    },
  };
};

const findOwnPicture: Draw = (drawing) => {
  const id = drawing.picture();
  const own = drawing.state.media.get(id);
  return call('findPicturePath', id, own === undefined || drawing.random.chance(0.3) ? sender(drawing) : own);
};

const desks = ({ random }: Drawing) => random.pick([['back'], ['back', 'front'], ['night']]);
const seconds = ({ random }: Drawing) => random.pick([5, 30, 90]);
const people = (drawing: Drawing) => [drawing.person()];

export const otherCalls: [weight: number, draw: Draw][] = [
  [24, advance],
  [4, insertSession],
  [2, insertAccount],
  [4, updatePerson],
  [2, setActive],
  [2, signOut],
  [1, endSessions],
  [2, endSession],
  [6, subscribe],
  [8, beginUpload],
  [8, makePicture],
  [2, findOwnPicture],
  [10, (drawing) => unordered('findSessions', RULES, [drawing.session(), drawing.session()])],
  [4, (drawing) => call('findSession', RULES, drawing.sessionHash())],
  [2, (drawing) => call('readSession', anyRules(drawing), drawing.session())],
  [2, (drawing) => call('touchSession', drawing.session(), '')],
  [2, (drawing) => call('startGracePeriod', drawing.person())],
  [2, (drawing) => call('markSecondFactor', drawing.session())],
  [2, (drawing) => call('hasRecentProof', drawing.session())],
  [2, (drawing) => call('confirmSession', { sessionId: drawing.session(), tokenHash: drawing.bytes() })],
  [2, (drawing) => call('roleOfSession', drawing.session())],
  [2, (drawing) => call('readAccountRow', drawing.person())],
  [2, (drawing) => call('setAway', drawing.person(), drawing.random.chance(0.5))],
  [2, (drawing) => unordered('findUnstaffedDesks', desks(drawing))],
  [2, (drawing) => call('hasOtherAdmin', drawing.person())],
  [2, (drawing) => call('hasOtherStaffAt', drawing.desk(), drawing.random.pick([null, drawing.person()]))],
  [2, (drawing) => call('aliasExists', drawing.random.pick(['back', 'nowhere']))],
  [2, () => call('readDesks')],
  [2, (drawing) => call('readDeskLoad', drawing.desk())],
  [4, (drawing) => call('renewPresence', drawing.random.pick(GATEWAYS), desks(drawing), seconds(drawing))],
  [2, (drawing) => call('endPresence', drawing.random.pick(GATEWAYS), desks(drawing))],
  [4, () => call('isAnyoneOnline')],
  [4, (drawing) => call('isOnline', drawing.desk())],
  [
    1,
    (drawing) => call('renewStaffPresence', drawing.random.pick(GATEWAYS), people(drawing), seconds(drawing)),
  ],
  [1, (drawing) => call('endStaffPresence', drawing.random.pick(GATEWAYS), people(drawing))],
  [
    2,
    (drawing) =>
      call('acquireGatewayLease', {
        gatewayId: drawing.random.pick(GATEWAYS),
        alone: drawing.random.chance(0.5),
        seconds: 15,
      }),
  ],
  [1, (drawing) => call('releaseGatewayLease', drawing.random.pick(GATEWAYS))],
  [2, (drawing) => call('findUpload', drawing.picture(), sender(drawing))],
  [2, (drawing) => call('dropUpload', drawing.picture())],
  [2, (drawing) => call('findMessageMedia', drawing.conversation(), drawing.picture())],
  [
    2,
    (drawing) =>
      call(
        'recordPushed',
        { conversationId: drawing.conversation(), subscriptionId: '', seq: 1 },
        drawing.random.chance(0.5),
      ),
  ],
  [
    2,
    (drawing) =>
      call('dropPushSubscription', drawing.visitor(), `https://push.example/${drawing.random.whole(1, 5)}`),
  ],
  [1, () => call('readDatabaseTime')],
];
