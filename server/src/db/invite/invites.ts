import {
  CODE_FAILURES_TO_LOCK,
  CODE_FAILURES_TO_VOID,
  CODE_LOCK_MINUTES,
  type InviteState,
} from '@settee/protocol/model/invite';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

export type InviteRow = {
  inviteId: string;
  state: InviteState;
  /** Expired before it was bound; a bound invite does not expire. */
  expired: boolean;
};

export async function findInvite(db: Queries, tokenHash: Buffer): Promise<InviteRow | undefined> {
  return db
    .selectFrom('invites')
    .select([
      'id as inviteId',
      'state',
      sql<boolean>`state in ('NEW', 'SEEN') and expires_at <= now()`.as('expired'),
    ])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

export async function insertInvite(
  db: Queries,
  invite: { tokenHash: Buffer; alias: string; label: string; days: number },
): Promise<{ inviteId: string; expiresAt: Date }> {
  return db
    .insertInto('invites')
    .values({
      token_hash: invite.tokenHash,
      handler_alias: invite.alias,
      label: invite.label,
      expires_at: sql<Date>`now() + make_interval(days => ${invite.days})`,
    })
    .returning(['id as inviteId', 'expires_at as expiresAt'])
    .executeTakeFirstOrThrow();
}

export async function markInviteSeen(db: Queries, inviteId: string): Promise<void> {
  await db
    .updateTable('invites')
    .set({ state: 'SEEN', seen_at: sql<Date>`now()` })
    .where('id', '=', inviteId)
    .where('state', '=', 'NEW')
    .execute();
}

/** Serializes attempts with a code. */
export async function lockInvite(db: Queries, inviteId: string): Promise<void> {
  await db.selectFrom('invites').select('id').where('id', '=', inviteId).forUpdate().execute();
}

/**
 * Binds the invite to a new conversation; undefined if it is not available. The update waits for the row's lock and
 * checks the state again: only one of all concurrent claims finds it unbound.
 */
export async function bindInvite(
  db: Queries,
  binding: { inviteId: string; visitorId: string; codeHash: Buffer; codeNumber: number },
): Promise<{ conversationId: string; handlerAlias: string } | undefined> {
  return db
    .with('bound', (cte) =>
      cte
        .updateTable('invites')
        .set({
          state: 'BOUND',
          bound_at: sql<Date>`now()`,
          code_hash: binding.codeHash,
          code_number: binding.codeNumber,
        })
        .where('id', '=', binding.inviteId)
        .where('state', 'in', ['NEW', 'SEEN'])
        .where('expires_at', '>', sql<Date>`now()`)
        .returning(['id', 'handler_alias']),
    )
    .insertInto('conversations')
    .columns(['invite_id', 'handler_alias', 'visitor_id'])
    .expression((query) =>
      query
        .selectFrom('bound')
        .select([
          'bound.id',
          'bound.handler_alias',
          sql<string>`${binding.visitorId}::uuid`.as('visitor_id'),
        ]),
    )
    .returning(['id as conversationId', 'handler_alias as handlerAlias'])
    .executeTakeFirst();
}

/** Sets a new code and resets the failures. */
export async function setCode(
  db: Queries,
  inviteId: string,
  { codeHash, codeNumber }: { codeHash: Buffer; codeNumber: number },
): Promise<void> {
  await db
    .updateTable('invites')
    .set({
      code_hash: codeHash,
      code_number: codeNumber,
      code_failures: 0,
      code_failures_in_life: 0,
      code_locked_until: null,
    })
    .where('id', '=', inviteId)
    .execute();
}

/** The code and whether it can be tried. It is void after too many failures, until a new one is created. */
export async function readCode(db: Queries, inviteId: string) {
  return db
    .selectFrom('invites')
    .select([
      'code_hash as codeHash',
      'code_number as codeNumber',
      sql<boolean>`coalesce(code_locked_until > now(), false)`.as('locked'),
      sql<boolean>`code_hash is null or code_failures_in_life >= ${CODE_FAILURES_TO_VOID}`.as('void'),
    ])
    .where('id', '=', inviteId)
    .executeTakeFirstOrThrow();
}

/** The last failure before the lock also resets the count for the time after it. */
export async function countCodeFailure(db: Queries, inviteId: string): Promise<void> {
  const locks = sql<boolean>`code_failures + 1 >= ${CODE_FAILURES_TO_LOCK}`;
  await db
    .updateTable('invites')
    .set({
      code_failures: sql<number>`case when ${locks} then 0 else code_failures + 1 end`,
      code_failures_in_life: sql<number>`code_failures_in_life + 1`,
      code_locked_until: sql<Date>`case when ${locks} then now() + make_interval(mins => ${CODE_LOCK_MINUTES}) end`,
    })
    .where('id', '=', inviteId)
    .execute();
}
