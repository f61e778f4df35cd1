import { type Db, exists, rows } from '../platform/db/query.ts';

/** An object that no row references. */
export type UnreferencedObject = { path: string; conversationId: string; conversationIsGone: boolean };

/**
 * Which of these objects no row references. Rows are written before their objects, so a listed object is never a
 * running upload.
 */
export function findUnreferenced(
  db: Db,
  paths: { path: string; conversationId: string }[],
): Promise<UnreferencedObject[]> {
  return rows<UnreferencedObject>(db)`
    select l.path, l.conversation_id as "conversationId", c.id is null as "conversationIsGone"
    from unnest(
      ${paths.map(({ path }) => path)}::text[], ${paths.map(({ conversationId }) => conversationId)}::uuid[]
    ) as l (path, conversation_id)
    left join conversations c on c.id = l.conversation_id
    where not exists (
      select from media m where m.conversation_id = l.conversation_id and l.path in (m.path, m.staged_path)
    )`;
}

export function wasRestored(db: Db): Promise<boolean> {
  return exists(db)`select from audit where action = 'installation.restore' limit 1`;
}
