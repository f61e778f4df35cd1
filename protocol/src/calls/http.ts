import type * as v from 'valibot';
import { accountCalls } from './accountCalls.ts';
import { apiKeyCalls } from './apiKeyCalls.ts';
import { auditCalls } from './auditCalls.ts';
import type { ParamsOf } from './call.ts';
import { conversationAdminCalls } from './conversationAdminCalls.ts';
import { conversationCalls } from './conversationCalls.ts';
import { dashboardCalls } from './dashboardCalls.ts';
import { deskCalls } from './deskCalls.ts';
import { deviceCalls } from './deviceCalls.ts';
import { eraseCalls } from './eraseCalls.ts';
import { inviteAdminCalls } from './inviteAdminCalls.ts';
import { mailCalls } from './mailCalls.ts';
import { mediaCalls } from './mediaCalls.ts';
import { peopleCalls } from './peopleCalls.ts';
import { profileCalls } from './profileCalls.ts';
import { pushCalls } from './pushCalls.ts';
import { rightsCalls } from './rightsCalls.ts';
import { installationCalls, setupCalls } from './setupCalls.ts';
import { signInCalls } from './signInCalls.ts';
import { staffCalls } from './staffCalls.ts';
import { visitorCalls } from './visitorCalls.ts';
import { webhookCalls } from './webhookCalls.ts';

/** Every HTTP call, by its area in the API description. */
export const areas = {
  'Visitors and invites': visitorCalls,
  Conversations: { ...conversationCalls, ...deviceCalls, ...rightsCalls },
  Images: mediaCalls,
  Notifications: pushCalls,
  'E-mail': mailCalls,
  'Signing in': { ...signInCalls, ...setupCalls },
  'At the desk': staffCalls,
  'Own account': accountCalls,
  'Administrators: the installation': {
    ...installationCalls,
    ...profileCalls,
    ...dashboardCalls,
    ...auditCalls,
  },
  'Administrators: staff members': { ...peopleCalls, ...deskCalls },
  'Administrators: invites': inviteAdminCalls,
  'Administrators: conversations': { ...conversationAdminCalls, ...eraseCalls },
  'Administrators: API keys': apiKeyCalls,
  'Administrators: webhooks': webhookCalls,
} as const;

type Areas = typeof areas;
type All<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer A) => void ? A : never;

export type Calls = All<Areas[keyof Areas]>;
export const calls = Object.assign({}, ...Object.values(areas)) as Calls;

export type CallName = keyof Calls;
export type Answer<N extends CallName> = v.InferOutput<Calls[N]['answer']>;
export type Body<N extends CallName> = Calls[N]['body'] extends v.GenericSchema
  ? v.InferInput<Calls[N]['body']>
  : undefined;
export type Params<N extends CallName> = Record<ParamsOf<Calls[N]['path']>, string>;
