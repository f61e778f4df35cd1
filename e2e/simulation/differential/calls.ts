import type { ConversationStatus } from '@settee/protocol/model/conversation';
import type pg from 'pg';
import type {
  AppendResult,
  Config,
  Database,
  DbTransaction,
  Draft,
  Row,
} from '../../../server/testing/simulation.ts';
import { real } from '../model/functions.ts';
import type { Modelled } from '../model/model.ts';
import { DESKS, type Drawing } from './drawing.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** PostgreSQL with the real functions, or the model with its own. */
export type Side = {
  f: Modelled;
  db: Database;
  /** Of the appender; more than one for concurrent calls. */
  connections: readonly pg.Client[];
  setClock(at: number): Promise<void>;
};

export type Call = {
  name: string;
  args: readonly unknown[];
  run(side: Side): Promise<unknown>;
};

export type Draw = (drawing: Drawing) => Call;

type Simple = {
  [Name in keyof Modelled]: Modelled[Name] extends (db: Database, ...args: infer Args) => Promise<unknown>
    ? Args
    : never;
};

/** One call of one function. */
function call<Name extends keyof Modelled>(name: Name, ...args: Simple[Name]): Call {
  return {
    name,
    args,
    run: (side) => (side.f[name] as (...all: unknown[]) => Promise<unknown>)(side.db, ...args),
  };
}

/** A call about a conversation. */
function about(draw: (id: string, drawing: Drawing) => Call): Draw {
  return (drawing) => draw(drawing.conversation(), drawing);
}

/** The same as `call`, for functions whose rows have no order. */
function unordered<Name extends keyof Modelled>(name: Name, ...args: Simple[Name]): Call {
  const { run, ...rest } = call(name, ...args);
  return {
    ...rest,
    run: async (side) =>
      ((await run(side)) as unknown[]).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

/** Thrown by a call to undo its transaction. */
class Undone extends Error {}

/** Several functions in one transaction, which sometimes fails at its end. */
function transaction(
  { random }: Drawing,
  name: string,
  args: readonly unknown[],
  work: (f: Modelled, db: DbTransaction) => Promise<unknown>,
): Call {
  const undone = random.chance(0.1);
  return {
    name: undone ? `${name}, undone` : name,
    args,
    run: (side) =>
      side.db
        .transaction(async (db) => {
          const result = await work(side.f, db);
          if (undone) throw new Undone();
          return result;
        })
        .catch((error: unknown) => {
          if (error instanceof Undone) return 'undone';
          throw error;
        }),
  };
}

const UNIQUE_VIOLATION = '23505';

/** A new message, a repeat, or an id with other content. */
function drawDraft(drawing: Drawing): Draft {
  const { random, state } = drawing;
  const conversationId = drawing.conversation();
  const fromOwner = random.chance(0.4);
  const stored = state.messages.get(conversationId) ?? [];
  const repeats = stored.length > 0 && random.chance(0.25) ? random.pick(stored.slice(-6)) : undefined;
  const pictures = state.media.where((picture) => picture.conversationId === conversationId);
  const picture = pictures.length > 0 && random.chance(0.3) ? random.pick(pictures) : undefined;
  const draft: Draft = {
    conversationId,
    id: random.uuid(),
    text: picture === undefined ? drawing.text() : '',
    fromOwner,
    authorId: fromOwner ? drawing.person() : drawing.visitorOf(conversationId).visitorId,
    alias: fromOwner ? (drawing.reachFor(conversationId)?.join(' ') ?? null) : null,
    after: fromOwner && random.chance(0.6) ? drawing.seq(conversationId) : null,
    mediaId: picture?.id ?? null,
  };
  // Usually from whoever uploaded it.
  if (picture !== undefined && random.chance(0.8)) {
    const { authorId } = picture;
    Object.assign(draft, { authorId, fromOwner: picture.fromOwner, alias: null, after: null });
  }
  if (repeats !== undefined) {
    const { id, text, mediaId, authorId } = repeats;
    const isOther = random.chance(0.2);
    Object.assign(draft, { id, ...(!isOther && { text, mediaId, authorId, fromOwner: repeats.fromOwner }) });
    if (!draft.fromOwner) Object.assign(draft, { alias: null, after: null });
  }
  return draft;
}

/** As the appender makes its batches: see takeBatch in server/src/messages/appender.store.ts. */
function drawBatch(drawing: Drawing): Draft[] {
  const { random } = drawing;
  const size = random.chance(0.4) ? 1 : random.whole(2, 7);
  const batch: Draft[] = [];
  while (batch.length < size) {
    const draft = drawDraft(drawing);
    const { id, mediaId, conversationId, after } = draft;
    const isRefused = batch.some(
      (other) =>
        other.id === id ||
        (mediaId !== null && other.mediaId === mediaId) ||
        (after !== null && other.fromOwner && other.conversationId === conversationId),
    );
    if (isRefused) break;
    batch.push(draft);
  }
  return batch.sort((a, b) =>
    a.conversationId < b.conversationId ? -1 : Number(a.conversationId > b.conversationId),
  );
}

async function append(side: Side, drafts: readonly Draft[], lookUp: boolean, connection = 0) {
  const results: AppendResult[] = [];
  const batch = drafts.map((draft, item) => ({
    draft,
    resolve(result: AppendResult) {
      results[item] = result;
    },
  }));
  const client = side.connections[connection];
  if (client === undefined) throw new Error('too few connections');
  const rows = await side.f.callAppend(client, batch, lookUp);
  real.settle(batch, rows);
  return { results, rows: rows.map(inWholeMs).sort(([a], [b]) => a - b) };
}

function inWholeMs([item, outcome, seq, createdMs, ...rest]: Row) {
  return [item, outcome, seq, createdMs === null ? null : Math.round(createdMs), ...rest] as Row;
}

const appendBatch: Draw = (drawing): Call => {
  const drafts = drawBatch(drawing);
  const lookUp = drawing.random.chance(0.3);
  return {
    name: lookUp ? 'append with look-up' : 'append',
    args: drafts,
    async run(side) {
      try {
        return await append(side, drafts, lookUp);
      } catch (error) {
        if ((error as { code?: string }).code !== UNIQUE_VIOLATION || lookUp) throw error;
        return { violated: await append(side, drafts, true) };
      }
    },
  };
};

/** One of them stores it. It does not matter which. */
const appendConcurrently: Draw = (drawing): Call => {
  const draft = drawDraft(drawing);
  return {
    name: 'append concurrently',
    args: [draft],
    async run(side) {
      const attempts = side.connections.map(async (_, connection) => {
        const asked = [{ ...draft }];
        return append(side, asked, false, connection).catch(() => append(side, asked, true, connection));
      });
      const outcomes = (await Promise.all(attempts)).flatMap(({ results }) => results);
      return outcomes.map((each) => JSON.stringify(each)).sort();
    },
  };
};

const STATUSES: readonly ConversationStatus[] = ['open', 'closed', 'blocked'];

/** As in conversations/status.ts. */
const setStatus: Draw = (drawing) => {
  const { random } = drawing;
  const conversationId = drawing.conversation();
  const change = {
    conversationId,
    reach: drawing.reachFor(conversationId),
    status: random.pick(STATUSES),
    from: random.chance(0.5) ? undefined : random.pick(STATUSES),
  };
  const block = { reason: drawing.text(), hours: random.chance(0.5) ? null : random.whole(1, 3) };
  return transaction(drawing, 'set the status', [change, block], async (f, db) => {
    const moved = await f.updateStatus(db, change);
    if (moved === undefined) return undefined;
    const removed = await f.removeBlock(db, conversationId);
    const until = change.status === 'blocked' ? await f.writeBlock(db, conversationId, block) : null;
    return { moved, removed, until };
  });
};

/** As in conversations/handOver.ts. */
const handOver: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  const reach = drawing.reachFor(conversationId);
  const to = drawing.desk();
  const note = {
    id: drawing.random.uuid(),
    conversationId,
    authorId: drawing.person(),
    text: drawing.text(),
  };
  return transaction(drawing, 'hand over', [conversationId, reach, to, note], async (f, db) => {
    const unstaffed = await f.findUnstaffedDesks(db, [to]);
    const from = await f.lockConversationDesk(db, conversationId, reach);
    if (from === undefined || from === to) return { unstaffed, from };
    await f.moveToDesk(db, conversationId, to);
    await f.notifyNewDesk(db, conversationId);
    await f.insertNote(db, { ...note, handover: { from, to } }, [to]);
    return f.findNote(db, note.id);
  });
};

const erase: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  const by = drawing.random.pick(['visitor', 'staff'] as const);
  return transaction(drawing, 'erase', [conversationId, by], (f, db) => f.eraseRows(db, conversationId, by));
};

/** As in actions/invite: claims an invite, or attaches another device. */
const claim: Draw = (drawing) => {
  const { random, state } = drawing;
  const visitor = drawing.visitor();
  const { visitorId } = visitor;
  const fresh = state.invites.where((invite) => invite.state !== 'BOUND').map(({ id }) => id);
  const inviteId = fresh.length > 0 && random.chance(0.7) ? random.pick(fresh) : drawing.invite();
  const known = state.conversations.find((each) => each.inviteId === inviteId)?.id;
  const code = { codeHash: drawing.bytes(), codeNumber: random.whole(1, 9) };
  const credential = drawing.credential();
  const browser = random.pick(['Firefox', 'Chrome']);
  return transaction(drawing, 'claim', [visitor, inviteId, code, credential], async (f, db) => {
    const bound = await f.bindInvite(db, { inviteId, visitorId, ...code });
    const conversationId = bound?.conversationId ?? known;
    if (conversationId === undefined) return { bound };
    const replaced = await f.isCredentialReplaced(db, visitor);
    if (replaced) return { bound, replaced };
    await f.addDevice(db, { conversationId, visitorId, credential, first: bound !== undefined, browser });
    return { bound, touched: await f.touchConversation(db, inviteId) };
  });
};

/** As in visitors/removeDevice.ts. */
const removeDevice: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  const { visitorId } = drawing.visitorOf(conversationId);
  const inviteId = drawing.state.conversations.get(conversationId)?.inviteId ?? drawing.invite();
  return transaction(drawing, 'remove a device', [conversationId, visitorId], async (f, db) => {
    const touched = await f.touchConversation(db, inviteId);
    const devices = await f.readDevices(db, conversationId);
    return { touched, devices, revoked: await f.revokeDevice(db, conversationId, visitorId) };
  });
};

function atDesk(conversationId: string, drawing: Drawing) {
  return { conversationId, reach: drawing.reachFor(conversationId) };
}

function reader(conversationId: string, drawing: Drawing) {
  const side = drawing.random.pick(['visitor', 'owner'] as const);
  return { conversationId, side, reach: side === 'owner' ? drawing.reachFor(conversationId) : null };
}

function newNote(conversationId: string, drawing: Drawing) {
  const id = drawing.random.chance(0.2) ? drawing.note() : drawing.random.uuid();
  return { id, conversationId, authorId: drawing.person(), text: drawing.text() };
}

const readMessages: Draw = (drawing) => {
  const { random } = drawing;
  const conversationId = drawing.conversation();
  const seq = drawing.seq(conversationId);
  const limit = random.chance(0.5) ? undefined : random.whole(1, 3);
  const page = random.pick([{ after: seq, limit }, { before: seq, limit }, { limit }]);
  return call('readMessages', conversationId, page);
};

/** The time is that of the migration. */
const readProfiles: Draw = () => ({
  name: 'readProfiles',
  args: [],
  async run({ f, db }) {
    const profiles = await f.readProfiles(db);
    return profiles.map(({ brand, ...rest }) => ({ ...rest, brand: { ...brand, updatedAt: 0 } }));
  },
});

const insertInvite: Draw = (drawing) =>
  call('insertInvite', {
    tokenHash: drawing.bytes(),
    alias: drawing.desk(),
    label: drawing.text(),
    days: drawing.random.whole(1, 9),
  });

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

const insertSession: Draw = (drawing) => {
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
  const desks = random.shuffled(DESKS).slice(0, random.whole(0, DESKS.length));
  const email = state.staff.get(random.chance(0.1) ? drawing.person() : id)?.email ?? '';
  const person = { name: random.pick(['Ann Lee', 'Bo']), email, role, desks };
  const promoted = random.chance(0.3);
  return transaction(drawing, 'change a person', [id, person, promoted], async (f, db) => {
    const before = await f.lockAccount(db, id);
    const updated = await f.updatePerson(db, id, person, { promoted });
    if (updated) await f.movePushSubscriptions(db, id, desks[0] ?? null);
    return { before, updated };
  });
};

const endSessions: Draw = (drawing) => {
  const { random } = drawing;
  const except = random.pick([null, drawing.session()]);
  return call('endSessionsOf', drawing.person(), { except, withoutFactorOnly: random.chance(0.3) });
};

const subscribe: Draw = (drawing) => {
  const { random, state } = drawing;
  const [session] = random.shuffled(state.sessions.where(({ revokedAt }) => revokedAt === null));
  const person = session && state.staff.get(session.staffId);
  const endpoint = drawing.endpoint();
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

/** As in media/uploads.ts. */
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

const PUSHED = { subscriptionId: '', seq: 1 };
const desks = ({ random }: Drawing) => random.pick([['back'], ['back', 'front'], ['night']]);
const seconds = ({ random }: Drawing) => random.pick([5, 30, 90]);

/** Each as often as its weight says. */
const weighted: [weight: number, draw: Draw][] = [
  [80, appendBatch],
  [8, appendConcurrently],
  [16, setStatus],
  [6, handOver],
  [2, erase],
  [10, claim],
  [4, removeDevice],
  [24, about((id, drawing) => call('markSeen', reader(id, drawing), drawing.seq(id)))],
  [
    6,
    about((id, drawing) =>
      call('markUnread', { ...atDesk(id, drawing), unread: drawing.random.chance(0.7) }),
    ),
  ],
  [4, about((id, drawing) => call('snooze', { ...atDesk(id, drawing), until: drawing.soon() }))],
  [6, about((id, drawing) => call('insertNote', newNote(id, drawing), drawing.reachFor(id)))],
  [10, readMessages],
  [4, about((id, drawing) => unordered('storedOf', id, [...drawing.messagesOf(id), drawing.random.uuid()]))],
  [10, about((id, drawing) => call('findForVisitor', id, drawing.visitorOf(id)))],
  [8, about((id, drawing) => call('findForDesk', id, drawing.reachFor(id)))],
  [6, insertInvite],
  [2, (drawing) => call('isCredentialReplaced', drawing.visitor(), { sinceLongAgo: false })],
  [2, (drawing) => call('isCredentialReplaced', drawing.visitor(), { sinceLongAgo: true })],
  [2, about((id) => call('readDevices', id))],
  [2, about((id, drawing) => call('wasErasedFor', id, drawing.visitor()))],
  [6, (drawing) => unordered('readHeads', drawing.conversations())],
  [6, (drawing) => call('readQueue', drawing.desk(), drawing.random.pick([null, 2]))],
  [4, (drawing) => unordered('readQueueRows', drawing.desk(), drawing.conversations())],
  [4, (drawing) => unordered('readQueueHeads', ['back', drawing.random.pick(['front', 'night'])])],
  [2, (drawing) => call('findNote', drawing.note())],
  [2, (drawing) => unordered('countNotes', drawing.conversations())],
  [2, (drawing) => call('readNotesAndDesk', drawing.conversation())],
  [1, readProfiles],
  [1, (drawing) => call('listMoved', drawing.conversations())],
  [1, (drawing) => call('findNewCell', drawing.conversation())],
  [24, advance],
  [4, insertSession],
  [2, insertAccount],
  [4, updatePerson],
  [1, endSessions],
  [6, subscribe],
  [8, beginUpload],
  [8, makePicture],
  [10, (drawing) => unordered('findSessions', RULES, [drawing.session(), drawing.session()])],
  [2, (drawing) => call('roleOfSession', drawing.session())],
  [2, (drawing) => call('setAway', drawing.person(), drawing.random.chance(0.5))],
  [
    4,
    (drawing) =>
      call('setDeskOff', drawing.person(), { alias: drawing.desk(), off: drawing.random.chance(0.5) }),
  ],
  [2, (drawing) => unordered('findUnstaffedDesks', desks(drawing))],
  [1, (drawing) => call('areOfTwoProfiles', drawing.desk(), drawing.desk())],
  [2, (drawing) => call('hasOtherStaffAt', drawing.desk(), drawing.random.pick([null, drawing.person()]))],
  [2, (drawing) => call('readDeskLoad', drawing.desk())],
  [4, (drawing) => call('renewPresence', drawing.gateway(), desks(drawing), seconds(drawing))],
  [2, (drawing) => call('endPresence', drawing.gateway(), desks(drawing))],
  [4, () => call('isAnyoneOnline')],
  [4, () => call('listOnlineDesks')],
  [1, (drawing) => call('renewStaffPresence', drawing.gateway(), [drawing.person()], seconds(drawing))],
  [1, (drawing) => call('endStaffPresence', drawing.gateway(), [drawing.person()])],
  [2, (drawing) => call('findUpload', drawing.picture(), sender(drawing))],
  [2, (drawing) => call('dropUpload', drawing.picture())],
  [2, about((id, drawing) => call('findMessageMedia', id, drawing.picture()))],
  [
    2,
    about((conversationId, { random }) =>
      call('recordPushed', { ...PUSHED, conversationId }, random.chance(0.5)),
    ),
  ],
  [2, (drawing) => call('dropPushSubscription', drawing.visitor(), drawing.endpoint())],
  [1, () => call('readDatabaseTime')],
];

export const draws = weighted.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw));

/** Desks, people, their sessions, and unused invites. Every world begins with them. */
export function* firstCalls(drawing: Drawing): Generator<Call> {
  for (const alias of DESKS) yield call('ensureAlias', alias);
  for (const [index, alias] of [...DESKS, 'front', null].entries()) {
    const name = `Person ${index}`;
    const role = index < DESKS.length ? 'handler' : 'admin';
    yield call('insertAccount', { email: `${index}@example.test`, name, passwordHash: 'hash', role, alias });
  }
  for (let time = 0; time < 2 * DESKS.length; time += 1) {
    yield insertSession(drawing);
    yield insertInvite(drawing);
  }
}
