import type * as v from 'valibot';
import { accountCalls } from './accountCalls.ts';
import { apiKeyCalls } from './apiKeyCalls.ts';
import { auditCalls } from './auditCalls.ts';
import { conversationAdminCalls } from './conversationAdminCalls.ts';
import { dashboardCalls } from './dashboardCalls.ts';
import { deviceCalls } from './deviceCalls.ts';
import { eraseCalls } from './eraseCalls.ts';
import { hoursCalls } from './hoursCalls.ts';
import { inviteAdminCalls } from './inviteAdminCalls.ts';
import { mailCalls, staffMailCalls } from './mailCalls.ts';
import { mediaCalls } from './mediaCalls.ts';
import { peopleCalls } from './peopleCalls.ts';
import { profileCalls } from './profileCalls.ts';
import { pushCalls } from './pushCalls.ts';
import { rightsCalls } from './rightsCalls.ts';
import { setupCalls } from './setupCalls.ts';
import { staffCalls } from './staffCalls.ts';
import { visitorCalls } from './visitorCalls.ts';
import { webhookCalls } from './webhookCalls.ts';

/** Every HTTP call. */
export const calls = {
  ...visitorCalls,
  ...deviceCalls,
  ...mediaCalls,
  ...pushCalls,
  ...mailCalls,
  ...staffCalls,
  ...setupCalls,
  ...accountCalls,
  ...staffMailCalls,
  ...profileCalls,
  ...peopleCalls,
  ...hoursCalls,
  ...inviteAdminCalls,
  ...conversationAdminCalls,
  ...apiKeyCalls,
  ...webhookCalls,
  ...dashboardCalls,
  ...auditCalls,
  ...rightsCalls,
  ...eraseCalls,
} as const;

export type Calls = typeof calls;
export type CallName = keyof Calls;
export type Answer<N extends CallName> = v.InferOutput<Calls[N]['answer']>;
export type Body<N extends CallName> = Calls[N]['body'] extends v.GenericSchema
  ? v.InferInput<Calls[N]['body']>
  : undefined;
