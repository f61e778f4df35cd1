import * as v from 'valibot';
import type { Scope } from '../model/apiKey.ts';
import { Time } from '../model/ids.ts';
import type { ErrorCode } from './errorCodes.ts';

/**
 * Who may make a call: anyone, the holder of the cookie, or the bearer of an ID token. `account` also admits staff who
 * must still set up their second factor. `admin` admits administrators only. An API key can only make calls that name a
 * `scope`.
 */
export type Auth = 'none' | 'cookie' | 'visitor' | 'staff' | 'account' | 'admin' | 'any';
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

type Limits = {
  /** The scope with which an API key may make the call. Without it, no key may. */
  scope?: Scope;
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

export type Call = Limits & {
  method: Method;
  path: string;
  auth: Auth;
  body: v.GenericSchema | undefined;
  query: v.GenericSchema | undefined;
  answer: v.GenericSchema;
};

export const success = v.literal(true);

/** The fields of an object, or a schema. */
type Fields = v.ObjectEntries | v.GenericSchema;
type Options = Limits & { body?: Fields; query?: Fields; answer?: Fields };

/** Unknown fields are refused. */
type Input<F> = F extends v.GenericSchema
  ? F
  : F extends v.ObjectEntries
    ? v.StrictObjectSchema<F, undefined>
    : undefined;
type Output<F> = F extends v.GenericSchema
  ? F
  : F extends v.ObjectEntries
    ? v.ObjectSchema<{ success: typeof success } & F, undefined>
    : v.ObjectSchema<{ success: typeof success }, undefined>;

type Defined<M, P, A, O> = Omit<O, 'body' | 'query' | 'answer'> & {
  method: M;
  path: P;
  auth: A;
  body: Input<O extends { body: infer F } ? F : undefined>;
  query: Input<O extends { query: infer F } ? F : undefined>;
  answer: Output<O extends { answer: infer F } ? F : undefined>;
};

/**
 * Defines a call. A call without `body` or `query` ignores them. Every answer also has `success: true`, unless `answer`
 * is a schema. The mark lets the bundler drop calls that a page does not use.
 */
/* @__NO_SIDE_EFFECTS__ */
export function call<
  M extends Method,
  P extends string,
  A extends Auth,
  const O extends Options = Record<never, never>,
>(method: M, path: P, auth: A, options?: O): Defined<M, P, A, O> {
  const { body, query, answer = {}, ...limits }: Options = options ?? {};
  return {
    ...limits,
    method,
    path,
    auth,
    body: body && input(body),
    query: query && input(query),
    answer: isSchema(answer) ? answer : v.object({ success, ...answer }),
  } as unknown as Defined<M, P, A, O>;
}

function input(fields: Fields): v.GenericSchema {
  return isSchema(fields) ? fields : v.strictObject(fields);
}

function isSchema(fields: Fields): fields is v.GenericSchema {
  return fields.kind === 'schema';
}

/** The answer of every way to sign in. */
export const idToken = { idToken: v.string(), expiresAt: Time };

/** Replaces the caller's token, which stops working when the caller gains access to a conversation. */
export const nextIdToken = { idToken: v.optional(v.string()), expiresAt: v.optional(Time) };
