import type { ConversationStatus } from '@settee/protocol/model/conversation';
import type { ProfileRow } from '../../../server/src/db/profile/profiles.ts';
import { type Call, call, type Draw, transaction, unordered } from './call.ts';
import type { Drawing } from './drawing.ts';

const HOUR_MS = 3_600_000;
const STATUSES: readonly ConversationStatus[] = ['open', 'closed', 'blocked'];

/** As in actions/conversation/status.ts. */
const setStatus: Draw = (drawing) => {
  const { random } = drawing;
  const conversationId = drawing.conversation();
  const change = {
    conversationId,
    alias: drawing.deskFor(conversationId),
    status: random.pick(STATUSES),
    from: random.chance(0.5) ? undefined : random.pick(STATUSES),
  };
  const block = { reason: drawing.text(), hours: random.chance(0.5) ? null : random.whole(1, 3) };
  return transaction(drawing, 'set the status', [change, block], async (f, db) => {
    const moved = await f.updateStatus(db, change);
    if (moved === undefined) return undefined;
    const removed = await f.removeBlock(db, conversationId);
    const until = change.status === 'blocked' ? await f.writeBlock(db, conversationId, block) : null;
    if (removed && moved.before !== 'blocked') await f.auditBlockEnd(db, conversationId);
    await f.insertAudit(db, { actor: 'someone', action: 'conversation.open', target: conversationId });
    return { moved, removed, until };
  });
};

const endBlock: Draw = (drawing) => {
  const conversationId = drawing.random.pick([
    ...drawing.state.blocks.all().map((block) => block.conversationId),
    drawing.conversation(),
  ]);
  return transaction(drawing, 'end a block', [conversationId], (f, db) => f.endDueBlock(db, conversationId));
};

/** As in actions/conversation/handOver.ts. */
const handOver: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  const whileAt = drawing.deskFor(conversationId);
  const to = drawing.desk();
  const note = {
    id: drawing.random.uuid(),
    conversationId,
    authorId: drawing.person(),
    text: drawing.text(),
  };
  return transaction(drawing, 'hand over', [conversationId, whileAt, to, note], async (f, db) => {
    const unstaffed = await f.findUnstaffedDesks(db, [to]);
    const from = await f.lockConversationDesk(db, conversationId, whileAt);
    if (from === undefined || from === to) return { unstaffed, from };
    await f.moveToDesk(db, conversationId, to);
    await f.notifyNewDesk(db, conversationId);
    await f.insertNote(db, { ...note, handover: { from, to } }, to);
    await f.insertAudit(db, {
      actor: note.authorId,
      action: 'conversation.transfer',
      target: conversationId,
    });
    return f.findNote(db, note.id);
  });
};

const erase: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  const by = drawing.random.pick(['visitor', 'staff'] as const);
  return transaction(drawing, 'erase', [conversationId, by], async (f, db) => {
    const erased = await f.eraseRows(db, conversationId, by);
    await f.insertAudit(db, { actor: by, action: 'conversation.erase', target: conversationId });
    return erased;
  });
};

/** As in actions/invite: claims an invite, or attaches another device. */
const claim: Draw = (drawing) => {
  const { random, state } = drawing;
  const visitor = drawing.visitor();
  const fresh = state.invites.where((invite) => invite.state !== 'BOUND').map(({ id }) => id);
  const inviteId = fresh.length > 0 && random.chance(0.7) ? random.pick(fresh) : drawing.invite();
  const tokenHash = state.invites.get(inviteId)?.tokenHash ?? drawing.bytes();
  const code = { codeHash: drawing.bytes(), codeNumber: random.whole(1, 9) };
  const credential = drawing.credential();
  const browser = random.pick(['Firefox', 'Chrome']);
  return transaction(drawing, 'claim', [visitor, inviteId, code, credential], async (f, db) => {
    const bound = await f.bindInvite(db, { inviteId, visitorId: visitor.visitorId, ...code });
    const place = await f.findInviteForVisitor(db, tokenHash, visitor.visitorId);
    const conversationId = bound?.conversationId ?? place?.conversationId;
    if (typeof conversationId !== 'string') return { bound, place };
    await f.lockVisitor(db, visitor.visitorId);
    const replaced = await f.isCredentialReplaced(db, visitor);
    if (replaced) return { bound, place, replaced };
    await f.replaceCredential(db, visitor, credential);
    const { visitorId } = visitor;
    await f.addDevice(db, { conversationId, visitorId, credential, first: bound !== undefined, browser });
    const touched = await f.touchConversation(db, inviteId);
    return { bound, place, touched };
  });
};

/** As in actions/invite/attachInvite.ts. */
const tryCode: Draw = (drawing) => {
  const inviteId = drawing.random.pick([...drawing.state.invites.keys()]);
  return transaction(drawing, 'try a code', [inviteId], async (f, db) => {
    await f.lockInvite(db, inviteId);
    const before = await f.readCode(db, inviteId);
    if (!before.locked) await f.countCodeFailure(db, inviteId);
    return { before, after: await f.readCode(db, inviteId) };
  });
};

const newCode: Draw = (drawing) => {
  const code = { codeHash: drawing.bytes(), codeNumber: drawing.random.whole(1, 9) };
  return call('setCode', drawing.invite(), code);
};

/** As in actions/conversation/removeDevice.ts. */
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

const revokeInvites: Draw = (drawing) => {
  const ids = [drawing.invite()];
  return transaction(drawing, 'revoke an invite', ids, (f, db) => f.revokeAll(db, ids));
};

const markSeen: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  const side = drawing.random.pick(['visitor', 'owner'] as const);
  const alias = side === 'owner' ? drawing.deskFor(conversationId) : null;
  return call('markSeen', { conversationId, side, alias }, drawing.seq(conversationId));
};

const markUnread: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  const alias = drawing.deskFor(conversationId);
  return call('markUnread', { conversationId, alias, unread: drawing.random.chance(0.7) });
};

const snooze: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  const until = drawing.random.chance(0.3) ? null : drawing.state.now() + HOUR_MS;
  return call('snooze', { conversationId, alias: drawing.deskFor(conversationId), until });
};

const recordViews: Draw = (drawing) => {
  const staffId = drawing.person();
  const ownDesk = drawing.random.chance(0.3) ? null : drawing.desk();
  return call('recordNewViews', { conversationIds: drawing.conversations(), staffId, ownDesk });
};

const insertNote: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  const id = drawing.random.chance(0.2) ? drawing.note() : drawing.random.uuid();
  const note = { id, conversationId, authorId: drawing.person(), text: drawing.text() };
  return call('insertNote', note, drawing.deskFor(conversationId));
};

const readMessages: Draw = (drawing) => {
  const { random } = drawing;
  const conversationId = drawing.conversation();
  const seq = drawing.seq(conversationId);
  const limit = random.chance(0.5) ? undefined : random.whole(1, 3);
  const page = random.pick([{ after: seq, limit }, { before: seq, limit }, { limit }]);
  return call('readMessages', conversationId, page);
};

function idsIn(drawing: Drawing, conversationId: string): string[] {
  const stored = drawing.state.messages.get(conversationId) ?? [];
  return [...stored.slice(-3).map(({ id }) => id), drawing.random.uuid()];
}

const storedOf: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  return unordered('storedOf', conversationId, idsIn(drawing, conversationId));
};

const readAuthors: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  const from = drawing.seq(conversationId);
  return call('readAuthors', conversationId, from, from + drawing.random.whole(0, 5));
};

const readClosed: Draw = (drawing) => {
  const ended = drawing.state.conversations.where(({ status }) => status !== 'open');
  const last = ended.length > 0 && drawing.random.chance(0.5) ? drawing.random.pick(ended) : undefined;
  const after = last && { at: new Date(last.closedAt ?? 0), id: last.id };
  return call('readClosed', drawing.desk(), after);
};

const readDeleted: Draw = (drawing) => {
  const at = new Date(drawing.state.now() - HOUR_MS);
  const [before, since] = drawing.random.pick([
    [undefined, undefined],
    [at, undefined],
    [undefined, at],
  ]);
  return call('readDeleted', { alias: drawing.random.pick([null, drawing.desk()]), before, since });
};

const setVisitorName: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  return call('setVisitorName', drawing.visitorOf(conversationId), conversationId, drawing.text());
};

/** Of several endpoints with the same time, any may be the newest. */
function withoutEndpoint({ run, ...rest }: Call): Call {
  return {
    ...rest,
    run: async (side) => {
      const { pushEndpoint: _, ...profile } = ((await run(side)) ?? {}) as Partial<ProfileRow>;
      return profile;
    },
  };
}

const readQueuePart: Draw = (drawing) => {
  const alias = drawing.desk();
  return {
    name: 'readQueuePart',
    args: [alias],
    async run({ f, db }) {
      const { rows, counts } = await f.readQueuePart(db, alias, { limit: 2, now: drawing.state.now() });
      // Of conversations that wait since the same time, any may come first.
      const longest = counts?.longest.map(({ waitingSince }) => waitingSince);
      return { rows, counts: { ...counts, longest } };
    },
  };
};

/** The time is that of the migration. */
const readProfile: Draw = () => ({
  name: 'readProfile',
  args: [],
  async run({ f, db }) {
    const { brand, settings } = await f.readProfile(db);
    return { brand: { ...brand, updatedAt: 0 }, settings };
  },
});

const findForVisitor: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  return call('findForVisitor', conversationId, drawing.visitorOf(conversationId));
};

const findForDesk: Draw = (drawing) => {
  const conversationId = drawing.conversation();
  return call('findForDesk', conversationId, drawing.deskFor(conversationId));
};

export const insertInvite: Draw = (drawing) =>
  call('insertInvite', {
    tokenHash: drawing.bytes(),
    alias: drawing.desk(),
    label: drawing.text(),
    days: drawing.random.whole(1, 9),
  });

export const chatCalls: [weight: number, draw: Draw][] = [
  [16, setStatus],
  [4, endBlock],
  [6, handOver],
  [2, erase],
  [10, claim],
  [2, tryCode],
  [2, newCode],
  [4, removeDevice],
  [1, revokeInvites],
  [24, markSeen],
  [6, markUnread],
  [4, snooze],
  [4, recordViews],
  [6, insertNote],
  [10, readMessages],
  [4, storedOf],
  [4, readAuthors],
  [2, readClosed],
  [2, readDeleted],
  [4, setVisitorName],
  [10, findForVisitor],
  [8, findForDesk],
  [6, insertInvite],
  [4, (drawing) => call('findInvite', drawing.tokenHash())],
  [4, (drawing) => call('markInviteSeen', drawing.invite())],
  [4, (drawing) => call('findInviteForVisitor', drawing.tokenHash(), drawing.visitorId())],
  [
    4,
    (drawing) =>
      call('isCredentialReplaced', drawing.visitor(), { sinceLongAgo: drawing.random.chance(0.5) }),
  ],
  [4, (drawing) => call('hasDevice', drawing.visitor())],
  [2, (drawing) => call('readDevices', drawing.conversation())],
  [2, (drawing) => call('wasErasedFor', drawing.conversation(), drawing.visitor())],
  [2, (drawing) => call('findBlock', drawing.conversation())],
  [6, (drawing) => unordered('readHeads', drawing.conversations())],
  [2, (drawing) => unordered('findClosed', drawing.conversations())],
  [6, (drawing) => call('readQueue', drawing.desk(), drawing.random.pick([null, 2]))],
  [4, readQueuePart],
  [4, (drawing) => unordered('readQueueRows', drawing.desk(), drawing.conversations())],
  [4, (drawing) => unordered('readQueueHeads', ['back', drawing.random.pick(['front', 'night'])])],
  [2, (drawing) => call('findNote', drawing.note())],
  [2, (drawing) => unordered('countNotes', drawing.conversations())],
  [2, (drawing) => call('readNotes', drawing.conversation())],
  [2, (drawing) => call('readNotesAndDesk', drawing.conversation())],
  [2, (drawing) => withoutEndpoint(call('upsertProfile', drawing.visitorId(), drawing.text()))],
  [2, (drawing) => withoutEndpoint(call('findProfile', drawing.visitorId()))],
  [1, readProfile],
  [1, () => call('readHoursRev')],
  [1, (drawing) => call('listMoved', drawing.conversations())],
  [1, (drawing) => call('findNewCell', drawing.conversation())],
];
