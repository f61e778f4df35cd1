import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';

/** An object that no row references. */
export type UnreferencedObject = { path: string; conversationId: string; conversationIsGone: boolean };

/**
 * Which of these objects no row references. Rows are written before their objects, so a listed object is never a
 * running upload.
 */
export async function findUnreferenced(
  db: Database,
  paths: { path: string; conversationId: string }[],
): Promise<UnreferencedObject[]> {
  const { rows } = await sql<UnreferencedObject>`
    select l.path, l.conversation_id as "conversationId", c.id is null as "conversationIsGone"
    from unnest(
      ${paths.map(({ path }) => path)}::text[], ${paths.map(({ conversationId }) => conversationId)}::uuid[]
    ) as l (path, conversation_id)
    left join conversations c on c.id = l.conversation_id
    where not exists (
      select from media m where m.conversation_id = l.conversation_id and l.path in (m.path, m.staged_path)
    )`.execute(db.sql);
  return rows;
}

/** Whether a backup was ever restored into this database. */
export async function wasRestored(db: Database): Promise<boolean> {
  const { rows } = await sql<{ was: boolean }>`
    select exists (select from audit where action = 'installation.restore') as was`.execute(db.sql);
  return rows[0]?.was === true;
}
