import * as v from 'valibot';
import { Time } from '../model/ids.ts';
import type { ErrorCode } from './errorCodes.ts';

/**
 * Who may make a call: anyone, the holder of the cookie, or the bearer of an ID token. `account` also admits staff who
 * must still set up their second factor. `admin` admits administrators only.
 */
export type Auth = 'none' | 'cookie' | 'visitor' | 'staff' | 'account' | 'admin' | 'any';
type Schema = v.GenericSchema | undefined;
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  auth: Auth;
  body: Schema;
  query: Schema;
  answer: v.GenericSchema;
  /** The body is bytes instead of JSON, at most this many. */
  bytes?: number;
  /** Maximum bytes of the JSON body, if larger than for other calls. */
  bodyMax?: number;
  /**
   * Additional fields of a refusal besides `success` and `error`, so that callers can rely on every field of the
   * answer.
   */
  refused?: Record<string, unknown>;
  /** The refusal of a larger body. */
  tooManyBytes?: { code: ErrorCode; text: string };
};

export function call<const C extends Call>(definition: C): C {
  return definition;
}

export const success = v.literal(true);
export const none = undefined;

/** The answer of every way to sign in. */
export const idToken = { idToken: v.string(), expiresAt: Time };

/** Replaces the caller's token, which stops working when the caller gains access to a conversation. */
export const nextIdToken = { idToken: v.optional(v.string()), expiresAt: v.optional(Time) };
