import type { Patch } from '../patch.ts';

/**
 * The gateway acknowledges, and PostgreSQL commits `laterMs` afterwards. A gateway that leaves ends before this commit.
 */
export function ackBeforeCommit(laterMs: number): Patch {
  return {
    file: 'server/src/messages/appendCall.store.ts',
    find: 'await confirmed($CONNECTION, $CALL)',
    put: `await (async () => {
      const sabotaged = $CONNECTION;
      await sabotaged.committed;
      await sabotaged.query('begin');
      try {
        return $FOUND;
      } catch (error) {
        await sabotaged.query('rollback');
        throw error;
      } finally {
        sabotaged.committed = new Promise((done) => setTimeout(done, ${laterMs})).then(() => {
          if ('leaving' in globalThis) process.exit(0);
          return sabotaged.query('commit');
        }).catch(() => {});
      }
    })()`,
  };
}
