import type { CallName } from '@settee/protocol/calls/http';
import type { CallerName } from './callers.ts';
import type { Stage } from './stage.ts';
import type { Expected, Who } from './who.ts';

type Made<T> = (stage: Stage, caller: CallerName) => T | Promise<T>;

/** Who may ask for a call, and a request for it that is right in everything but, perhaps, who asks. */
export type CallRule = {
  who: Who;
  /** Where one caller is answered otherwise than the word says. */
  but?: Partial<Record<CallerName, Expected>>;
  params?: Made<Record<string, string>>;
  query?: Made<Record<string, string>>;
  body?: Made<unknown>;
  /** Instead of a body of JSON. */
  bytes?: () => Promise<Buffer>;
  /** Done, it cannot be done again, or changes what others are asked about: each caller gets a stage of its own. */
  spends?: true;
  /** It changes the caller's own account, or ends its sessions: a new person of that kind asks. */
  ownAccount?: true;
  /** With the cookie it would end the caller's own session. */
  withoutCookie?: true;
};

export type CallRules = Partial<Record<CallName, CallRule>>;
