import type pg from 'pg';

/**
 * The function of PostgreSQL that waits for the synchronous standby. In contrast to the message, its name is never
 * translated. Other warnings, for example about an old collation, say nothing about the commit.
 */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

type Notice = { routine?: string | undefined; message?: string | undefined };

/**
 * Runs a query that commits. After a cancelled wait for the standby, PostgreSQL confirms with only a warning, and a
 * failover can lose the transaction: nobody may be told that their action is done. So the warning is thrown.
 */
export async function confirmed<Result>(
  client: pg.ClientBase,
  commit: () => Promise<Result>,
): Promise<Result> {
  let warning: string | undefined;
  const onNotice = ({ routine, message }: Notice): void => {
    if (routine === STANDBY_WAIT) warning = message ?? routine;
  };
  client.on('notice', onNotice);
  try {
    const result = await commit();
    if (warning !== undefined) throw new Error(warning);
    return result;
  } finally {
    client.off('notice', onNotice);
  }
}
