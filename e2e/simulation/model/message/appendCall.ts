import type pg from 'pg';
import type * as real from '../../../../server/src/db/message/appendCall.ts';
import { databaseAt, type ModelDatabase } from '../modelDatabase.ts';
import { appendMessages } from './appendMessages.ts';

export { isRepeat, settle } from '../../../../server/src/db/message/appendCall.ts';

/** A connection of the appender. */
class Connection {
  readonly database: ModelDatabase;

  constructor(database: ModelDatabase) {
    this.database = database;
  }

  connect(): Promise<void> {
    return this.database.around('connect', async () => {});
  }

  on(): this {
    return this;
  }

  async end(): Promise<void> {}
}

export const appendConnection: typeof real.appendConnection = (url) =>
  new Connection(databaseAt(url)) as unknown as pg.Client;

export const callAppend: typeof real.callAppend = (connection, batch, lookUp) =>
  (connection as unknown as Connection).database.call('append', (state) =>
    appendMessages(
      state,
      batch.map(({ draft }) => draft),
      lookUp,
    ),
  );
