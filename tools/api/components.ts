// Shapes that have a name of their own in the description: what is sent or answered in more than one place.
import { Account, Passkey } from '../../protocol/src/calls/accountCalls.ts';
import { AuditEntry } from '../../protocol/src/calls/auditCalls.ts';
import { AdminRow, ExportedMessage } from '../../protocol/src/calls/conversationAdminCalls.ts';
import { ErrorCode } from '../../protocol/src/calls/errorCodes.ts';
import { Refusal } from '../../protocol/src/calls/errors.ts';
import { LeftDesk, Person } from '../../protocol/src/calls/peopleCalls.ts';
import { ProfileSettings } from '../../protocol/src/calls/profileCalls.ts';
import { Block } from '../../protocol/src/model/block.ts';
import { Brand } from '../../protocol/src/model/brand.ts';
import {
  ClosedRow,
  QueueRow,
  StaffConversation,
  VisitorConversation,
} from '../../protocol/src/model/conversation.ts';
import {
  Dashboard,
  DashboardSlot,
  HandlerLoad,
  InviteFunnel,
  WaitingRow,
} from '../../protocol/src/model/dashboard.ts';
import { ConversationDetails } from '../../protocol/src/model/details.ts';
import { Seq, Time, Uuid } from '../../protocol/src/model/ids.ts';
import {
  InviteCounts,
  InviteDraft,
  MadeLink,
  ManagedInvite,
} from '../../protocol/src/model/managedInvite.ts';
import { Message, MessageText } from '../../protocol/src/model/message.ts';
import { MessageMedia } from '../../protocol/src/model/messageMedia.ts';
import { Note } from '../../protocol/src/model/note.ts';
import {
  MadePasskey,
  PasskeyCreation,
  PasskeyRequest,
  ShownPasskey,
} from '../../protocol/src/model/passkey.ts';
import { SavedReply } from '../../protocol/src/model/savedReply.ts';
import { FoundConversation, FoundMessage } from '../../protocol/src/model/search.ts';
import { FactorProof, SecondFactorAsked } from '../../protocol/src/model/secondFactor.ts';
import { Alias, Desk, HandlerRecord, StaffClaims } from '../../protocol/src/model/staff.ts';
import { StaffSettings } from '../../protocol/src/model/staffSettings.ts';
import { VisitorProfile } from '../../protocol/src/model/visitor.ts';

/** Under the names that they have in protocol. */
export const components = {
  Account,
  AdminRow,
  Alias,
  AuditEntry,
  Block,
  Brand,
  ClosedRow,
  ConversationDetails,
  Dashboard,
  DashboardSlot,
  Desk,
  ErrorCode,
  ExportedMessage,
  FactorProof,
  FoundConversation,
  FoundMessage,
  HandlerLoad,
  HandlerRecord,
  InviteCounts,
  InviteDraft,
  InviteFunnel,
  LeftDesk,
  MadeLink,
  MadePasskey,
  ManagedInvite,
  Message,
  MessageMedia,
  MessageText,
  Note,
  Passkey,
  PasskeyCreation,
  PasskeyRequest,
  Person,
  ProfileSettings,
  QueueRow,
  Refusal,
  SavedReply,
  SecondFactorAsked,
  Seq,
  ShownPasskey,
  StaffClaims,
  StaffConversation,
  StaffSettings,
  Time,
  Uuid,
  VisitorConversation,
  VisitorProfile,
  WaitingRow,
} as const;

export type ComponentName = keyof typeof components;
