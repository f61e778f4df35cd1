import type { Database } from './database.ts';

/** The newest push token of a visitor or of a desk; null while notifications are off. */
export async function findPushToken(
  db: Database,
  owner: { visitorId: string } | { alias: string },
): Promise<string | null> {
  const mine = db.sql.selectFrom('push_subscriptions').select('endpoint').orderBy('refreshed_at', 'desc');
  const row = await ('alias' in owner
    ? mine.where('alias', '=', owner.alias)
    : mine.where('visitor_id', '=', owner.visitorId)
  ).executeTakeFirst();
  return row?.endpoint ?? null;
}
