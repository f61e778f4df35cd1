import type { CallName } from '@settee/protocol/calls/http';
import type { CallerName } from './callers.ts';
import type { Stage } from './stage.ts';
import type { Expected, Who } from './who.ts';

type Made<T> = (stage: Stage, caller: CallerName) => T | Promise<T>;

/** Who may make a call, and a request that is valid for everyone who may. */
export type CallRule = {
  who: Who;
  /** Callers with another answer than `who` says. */
  but?: Partial<Record<CallerName, Expected>>;
  params?: Made<Record<string, string>>;
  query?: Made<Record<string, string>>;
  body?: Made<unknown>;
  /** Instead of a JSON body. */
  bytes?: () => Promise<Buffer>;
  /** Cannot be repeated, or changes the shared stage: each caller gets a new one. */
  spends?: true;
  /** Changes the caller's account or ends its sessions: a new caller of this kind makes the call. */
  ownAccount?: true;
  /** With the cookie, the call would end the caller's own session. */
  withoutCookie?: true;
};

export type CallRules = Partial<Record<CallName, CallRule>>;
