// Shapes that have a name of their own in the description: what is sent or answered in more than one place.
import { Account, Passkey } from '../../protocol/src/accountCalls.ts';
import { AuditEntry } from '../../protocol/src/auditCalls.ts';
import { Block } from '../../protocol/src/block.ts';
import { Brand } from '../../protocol/src/brand.ts';
import {
  ClosedRow,
  QueueRow,
  StaffConversation,
  VisitorConversation,
} from '../../protocol/src/conversation.ts';
import { AdminRow, ExportedMessage } from '../../protocol/src/conversationAdminCalls.ts';
import {
  Dashboard,
  DashboardSlot,
  HandlerLoad,
  InviteFunnel,
  WaitingRow,
} from '../../protocol/src/dashboard.ts';
import { ConversationDetails } from '../../protocol/src/details.ts';
import { ErrorCode } from '../../protocol/src/errorCodes.ts';
import { Refusal } from '../../protocol/src/errors.ts';
import { Seq, Time, Uuid } from '../../protocol/src/ids.ts';
import { InviteCounts, InviteDraft, MadeLink, ManagedInvite } from '../../protocol/src/managedInvite.ts';
import { Message, MessageText } from '../../protocol/src/message.ts';
import { MessageMedia } from '../../protocol/src/messageMedia.ts';
import { Note } from '../../protocol/src/note.ts';
import { MadePasskey, PasskeyCreation, PasskeyRequest, ShownPasskey } from '../../protocol/src/passkey.ts';
import { LeftDesk, Person } from '../../protocol/src/peopleCalls.ts';
import { ProfileSettings } from '../../protocol/src/profileCalls.ts';
import { SavedReply } from '../../protocol/src/savedReply.ts';
import { FoundConversation, FoundMessage } from '../../protocol/src/search.ts';
import { FactorProof, SecondFactorAsked } from '../../protocol/src/secondFactor.ts';
import { Alias, Desk, HandlerRecord, StaffClaims } from '../../protocol/src/staff.ts';
import { StaffSettings } from '../../protocol/src/staffSettings.ts';
import { VisitorProfile } from '../../protocol/src/visitor.ts';

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
