import * as audit from '../../../server/src/db/audit/audit.ts';
import * as moved from '../../../server/src/db/cells/moved.ts';
import * as blocks from '../../../server/src/db/conversation/blocks.ts';
import * as closed from '../../../server/src/db/conversation/closed.ts';
import * as conversations from '../../../server/src/db/conversation/conversations.ts';
import * as conversationViews from '../../../server/src/db/conversation/conversationViews.ts';
import * as devices from '../../../server/src/db/conversation/devices.ts';
import * as erasure from '../../../server/src/db/conversation/erasure.ts';
import * as handOver from '../../../server/src/db/conversation/handOver.ts';
import * as notes from '../../../server/src/db/conversation/notes.ts';
import * as queue from '../../../server/src/db/conversation/queue.ts';
import * as deskLoad from '../../../server/src/db/dashboard/deskLoad.ts';
import * as database from '../../../server/src/db/engine/database.ts';
import * as gateways from '../../../server/src/db/engine/gateways.ts';
import * as inviteChanges from '../../../server/src/db/invite/inviteChanges.ts';
import * as invites from '../../../server/src/db/invite/invites.ts';
import * as media from '../../../server/src/db/media/media.ts';
import * as mediaWork from '../../../server/src/db/media/mediaWork.ts';
import * as uploads from '../../../server/src/db/media/uploads.ts';
import * as appendCall from '../../../server/src/db/message/appendCall.ts';
import * as messages from '../../../server/src/db/message/messages.ts';
import * as brand from '../../../server/src/db/profile/brand.ts';
import * as deskHours from '../../../server/src/db/profile/deskHours.ts';
import * as profiles from '../../../server/src/db/profile/profiles.ts';
import * as pushDue from '../../../server/src/db/push/pushDue.ts';
import * as pushSubscriptions from '../../../server/src/db/push/pushSubscriptions.ts';
import * as accounts from '../../../server/src/db/staff/accounts.ts';
import * as desks from '../../../server/src/db/staff/desks.ts';
import * as ownSessions from '../../../server/src/db/staff/ownSessions.ts';
import * as people from '../../../server/src/db/staff/people.ts';
import * as presence from '../../../server/src/db/staff/presence.ts';
import * as staff from '../../../server/src/db/staff/staff.ts';
import * as auditModel from '../model/audit/audit.ts';
import * as movedModel from '../model/cells/moved.ts';
import * as blocksModel from '../model/conversation/blocks.ts';
import * as closedModel from '../model/conversation/closed.ts';
import * as conversationsModel from '../model/conversation/conversations.ts';
import * as conversationViewsModel from '../model/conversation/conversationViews.ts';
import * as devicesModel from '../model/conversation/devices.ts';
import * as erasureModel from '../model/conversation/erasure.ts';
import * as handOverModel from '../model/conversation/handOver.ts';
import * as notesModel from '../model/conversation/notes.ts';
import * as queueModel from '../model/conversation/queue.ts';
import * as deskLoadModel from '../model/dashboard/deskLoad.ts';
import * as databaseModel from '../model/engine/database.ts';
import * as gatewaysModel from '../model/engine/gateways.ts';
import * as inviteChangesModel from '../model/invite/inviteChanges.ts';
import * as invitesModel from '../model/invite/invites.ts';
import * as mediaModel from '../model/media/media.ts';
import * as mediaWorkModel from '../model/media/mediaWork.ts';
import * as uploadsModel from '../model/media/uploads.ts';
import * as appendCallModel from '../model/message/appendCall.ts';
import * as messagesModel from '../model/message/messages.ts';
import * as brandModel from '../model/profile/brand.ts';
import * as deskHoursModel from '../model/profile/deskHours.ts';
import * as profilesModel from '../model/profile/profiles.ts';
import * as pushDueModel from '../model/push/pushDue.ts';
import * as pushSubscriptionsModel from '../model/push/pushSubscriptions.ts';
import * as accountsModel from '../model/staff/accounts.ts';
import * as desksModel from '../model/staff/desks.ts';
import * as ownSessionsModel from '../model/staff/ownSessions.ts';
import * as peopleModel from '../model/staff/people.ts';
import * as presenceModel from '../model/staff/presence.ts';
import * as staffModel from '../model/staff/staff.ts';

/** The functions of server/src/db that have a model. */
export const real = {
  ...audit,
  ...blocks,
  ...closed,
  ...conversationViews,
  ...conversations,
  ...devices,
  ...erasure,
  ...handOver,
  ...notes,
  ...queue,
  ...deskLoad,
  ...database,
  ...gateways,
  ...inviteChanges,
  ...invites,
  ...media,
  ...mediaWork,
  ...uploads,
  ...appendCall,
  ...messages,
  ...brand,
  ...deskHours,
  ...profiles,
  ...pushDue,
  ...pushSubscriptions,
  ...accounts,
  ...desks,
  ...ownSessions,
  ...people,
  ...presence,
  ...staff,
  ...moved,
};

export type Functions = typeof real;

export const model: Functions = {
  ...real,
  ...auditModel,
  ...blocksModel,
  ...closedModel,
  ...conversationViewsModel,
  ...conversationsModel,
  ...devicesModel,
  ...erasureModel,
  ...handOverModel,
  ...notesModel,
  ...queueModel,
  ...deskLoadModel,
  ...databaseModel,
  ...gatewaysModel,
  ...inviteChangesModel,
  ...invitesModel,
  ...mediaModel,
  ...mediaWorkModel,
  ...uploadsModel,
  ...appendCallModel,
  ...messagesModel,
  ...brandModel,
  ...deskHoursModel,
  ...profilesModel,
  ...pushDueModel,
  ...pushSubscriptionsModel,
  ...accountsModel,
  ...desksModel,
  ...ownSessionsModel,
  ...peopleModel,
  ...presenceModel,
  ...staffModel,
  ...movedModel,
};
