import { randomBytes, randomUUID } from 'node:crypto';
import { invite } from '../browser.ts';
import type { TestServer } from '../harness.ts';
import { createChat, type Person } from '../people.ts';
import type { PushWorld } from '../pushWorld.ts';
import { type CallerName, DESK, OTHER_DESK, type StaffCallers } from './callers.ts';

/** Existing data for requests. Each visitor has a conversation; the requests are about that of `visitor`. */
export type Stage = {
  server: TestServer;
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

export async function setStage({ server, service }: PushWorld, staff: StaffCallers): Promise<Stage> {
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
    server,
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
