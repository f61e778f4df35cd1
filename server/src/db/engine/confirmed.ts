import type pg from 'pg';

/**
 * Runs a query that commits, and throws on a warning. After a cancelled wait for the standby, PostgreSQL confirms with
 * only a warning, and a failover can lose the transaction: nobody may be told that their action is done.
 */
export async function confirmed<Result>(
  client: pg.ClientBase,
  commit: () => Promise<Result>,
): Promise<Result> {
  let warning: string | undefined;
  const onNotice = ({ code, message }: { code?: string | undefined; message?: string | undefined }): void => {
    if (code?.startsWith('01')) warning = message ?? code;
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
