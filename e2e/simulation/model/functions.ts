import * as access from '../../../server/src/access/access.store.ts';
import * as blocks from '../../../server/src/conversations/blocks.store.ts';
import * as conversations from '../../../server/src/conversations/conversations.store.ts';
import * as handOver from '../../../server/src/conversations/handOver.store.ts';
import * as notes from '../../../server/src/conversations/notes.store.ts';
import * as queue from '../../../server/src/conversations/queue.store.ts';
import * as erasure from '../../../server/src/erasure/erasure.store.ts';
import * as invites from '../../../server/src/invites/invites.store.ts';
import * as mediaWork from '../../../server/src/media/mediaWork.store.ts';
import * as uploads from '../../../server/src/media/uploads.store.ts';
import * as appendCall from '../../../server/src/messages/appendCall.store.ts';
import * as messageMedia from '../../../server/src/messages/messageMedia.store.ts';
import * as messages from '../../../server/src/messages/messages.store.ts';
import * as audit from '../../../server/src/platform/db/audit.ts';
import * as database from '../../../server/src/platform/db/database.ts';
import * as moved from '../../../server/src/platform/db/moved.ts';
import * as presence from '../../../server/src/platform/db/presenceLeases.ts';
import * as brand from '../../../server/src/profile/brand.store.ts';
import * as deskHours from '../../../server/src/profile/deskHours.store.ts';
import * as pushDue from '../../../server/src/push/pushDue.store.ts';
import * as pushSubscriptions from '../../../server/src/push/pushSubscriptions.store.ts';
import * as accounts from '../../../server/src/staff/accounts.store.ts';
import * as deskLoad from '../../../server/src/staff/deskLoad.store.ts';
import * as ownSessions from '../../../server/src/staff/ownSessions.store.ts';
import * as people from '../../../server/src/staff/people.store.ts';
import * as staff from '../../../server/src/staff/staff.store.ts';
import * as devices from '../../../server/src/visitors/devices.store.ts';
import type { State } from './state.ts';

/** The functions with SQL, from all modules with one that has a model. */
export const real = {
  ...audit,
  ...moved,
  ...blocks,
  ...conversations,
  ...devices,
  ...erasure,
  ...handOver,
  ...notes,
  ...queue,
  ...deskLoad,
  ...database,
  ...invites,
  ...mediaWork,
  ...uploads,
  ...appendCall,
  ...messages,
  ...brand,
  ...deskHours,
  ...pushDue,
  ...pushSubscriptions,
  ...accounts,
  ...ownSessions,
  ...people,
  ...presence,
  ...access,
  ...messageMedia,
  ...staff,
};

export type Functions = typeof real;

/** What such functions do in the model. Each is one statement. */
export type Effects = {
  [Name in keyof Functions]?: Functions[Name] extends (
    db: never,
    ...args: infer Args
  ) => Promise<infer Result>
    ? (state: State, ...args: Args) => Result
    : never;
};
