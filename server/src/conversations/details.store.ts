import type { Block } from '@settee/protocol/model/block';
import { type ConversationDetails, MEDIAN_OF_MESSAGES } from '@settee/protocol/model/details';
import type { ConversationRow } from '../access/access.store.ts';
import { type Db, one, seconds, value } from '../platform/db/query.ts';
import { findBlock } from './blocks.store.ts';

/**
 * A turn starts with a visitor's message after one of ours and ends with our next. A turn cut by the window does not
 * count.
 */
export async function readDetails(
  db: Db,
  conversation: Pick<ConversationRow, 'id' | 'inviteId' | 'createdAt' | 'head' | 'status'>,
): Promise<ConversationDetails> {
  const { id, inviteId, createdAt, head, status } = conversation;
  type Row = Omit<ConversationDetails, 'startedAt' | 'messages' | 'block'>;
  const row = await one<Row>(db)`
    with newest as (
      select m.seq, m.from_owner, m.created_at from messages m
      where m.conversation_id = ${id} order by m.seq desc limit ${MEDIAN_OF_MESSAGES}
    ),
    begun as (
      select n.*, not n.from_owner and (n.seq = 1 or lag(n.from_owner) over (order by n.seq)) as begins from newest n
    ),
    turns as (
      select b.*, count(*) filter (where b.begins) over (order by b.seq) as turn from begun b
    ),
    replies as (
      select min(t.created_at) filter (where t.from_owner) - min(t.created_at) as took
      from turns t where t.turn > 0 group by t.turn
    )
    select i.label as "inviteLabel",
      (select count(*)::integer from devices d where d.conversation_id = ${id} and d.revoked_at is null) as devices,
      (select round(1000 * percentile_cont(0.5) within group (order by ${seconds('r.took')}))::float8
       from replies r where r.took is not null) as "medianReplyMs"
    from invites i where i.id = ${inviteId}`;
  const block = status === 'blocked' ? ((await findBlock(db, id)) ?? NO_WORDS) : null;
  return { ...row, startedAt: createdAt, messages: head, block };
}

/** Blocked before blocks had reasons. */
const NO_WORDS: Block = { reason: '', until: null };

export async function readInviteLabel(db: Db, inviteId: string): Promise<string> {
  return (await value<string>(db)`select label from invites where id = ${inviteId}`) ?? '';
}
