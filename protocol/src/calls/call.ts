import * as v from 'valibot';
import { Time } from '../model/ids.ts';
import type { ErrorCode } from './errorCodes.ts';

/**
 * Who a call asks for: nobody, whoever holds the cookie, or the bearer of an ID token. `account` is for staff who still
 * have to set up their second factor too; `admin` for administrators alone.
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
  /** The body is bytes, at most so many, and not JSON. */
  bytes?: number;
  /** The JSON may be longer than that of other calls: at most so many bytes. */
  bodyMax?: number;
  /** Fields that a refusal has besides `success` and `error`: a caller may rely on every field of the answer. */
  refused?: Record<string, unknown>;
  /** What whoever sends more is told. */
  tooManyBytes?: { code: ErrorCode; text: string };
};

export function call<const C extends Call>(definition: C): C {
  return definition;
}

export const success = v.literal(true);
export const none = undefined;

/** What every way of signing in answers with. */
export const idToken = { idToken: v.string(), expiresAt: Time };

/** The token that follows the caller's present one, which stops working when a place is gained. */
export const nextIdToken = { idToken: v.optional(v.string()), expiresAt: v.optional(Time) };
