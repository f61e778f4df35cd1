import * as audit from '../../../server/src/db/audit/audit.ts';
import * as moved from '../../../server/src/db/cells/moved.ts';
import * as blocks from '../../../server/src/db/conversation/blocks.ts';
import * as conversationAccess from '../../../server/src/db/conversation/conversationAccess.ts';
import * as conversations from '../../../server/src/db/conversation/conversations.ts';
import * as deviceAccess from '../../../server/src/db/conversation/deviceAccess.ts';
import * as devices from '../../../server/src/db/conversation/devices.ts';
import * as erasure from '../../../server/src/db/conversation/erasure.ts';
import * as handOver from '../../../server/src/db/conversation/handOver.ts';
import * as notes from '../../../server/src/db/conversation/notes.ts';
import * as queue from '../../../server/src/db/conversation/queue.ts';
import * as deskLoad from '../../../server/src/db/dashboard/deskLoad.ts';
import * as database from '../../../server/src/db/engine/database.ts';
import * as inviteForVisitor from '../../../server/src/db/invite/inviteForVisitor.ts';
import * as invites from '../../../server/src/db/invite/invites.ts';
import * as media from '../../../server/src/db/media/media.ts';
import * as mediaWork from '../../../server/src/db/media/mediaWork.ts';
import * as uploads from '../../../server/src/db/media/uploads.ts';
import * as appendCall from '../../../server/src/db/message/appendCall.ts';
import * as messageMedia from '../../../server/src/db/message/messageMedia.ts';
import * as messages from '../../../server/src/db/message/messages.ts';
import * as brand from '../../../server/src/db/profile/brand.ts';
import * as deskHours from '../../../server/src/db/profile/deskHours.ts';
import * as pushDue from '../../../server/src/db/push/pushDue.ts';
import * as pushSubscriptions from '../../../server/src/db/push/pushSubscriptions.ts';
import * as accounts from '../../../server/src/db/staff/accounts.ts';
import * as ownSessions from '../../../server/src/db/staff/ownSessions.ts';
import * as people from '../../../server/src/db/staff/people.ts';
import * as presence from '../../../server/src/db/staff/presence.ts';
import * as staff from '../../../server/src/db/staff/staff.ts';
import type { State } from './state.ts';

/** The functions of server/src/db, from all modules with one that has a model. */
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
  ...media,
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
  ...conversationAccess,
  ...deviceAccess,
  ...inviteForVisitor,
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
