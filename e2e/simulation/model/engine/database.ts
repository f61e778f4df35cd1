import type * as real from '../../../../server/src/db/engine/database.ts';
import { databaseAt, modelled } from '../modelDatabase.ts';

export * from '../../../../server/src/db/engine/database.ts';

export const openDatabase: typeof real.openDatabase = databaseAt;

export const readDatabaseTime: typeof real.readDatabaseTime = modelled('readDatabaseTime', (state) =>
  state.now(),
);

export const countConnections: typeof real.countConnections = () => ({ idle: 0, busy: 0, waiting: 0 });
