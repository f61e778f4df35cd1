import * as v from 'valibot';
import type { Scope } from '../model/apiKey.ts';
import type { ErrorCode } from '../model/errorCodes.ts';
import { Time } from '../model/ids.ts';
import type { CallRate } from './rates.ts';

/**
 * Who may make a call: anyone, the holder of the cookie, or the bearer of an ID token. `account` also admits staff who
 * must still set up their second factor. `admin` admits administrators only. An API key can only make calls that name a
 * `scope`.
 */
export type Auth = 'none' | 'cookie' | 'visitor' | 'staff' | 'account' | 'admin' | 'any';
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Cookie = 'visitor' | 'staff';

type Rules = {
  /** For the API description. */
  summary: string;
  /** What the call counts as, besides a request. Without it, what `ratesOf` says. */
  rate?: readonly CallRate[];
  /** The codes of refusals that do not follow from `auth`, the path or the body: see tools/api/callers.ts. */
  refusals?: readonly ErrorCode[];
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

export type Call = Rules & {
  method: Method;
  path: string;
  auth: Auth;
  cookie?: Cookie;
  body: v.GenericSchema | undefined;
  query: v.GenericSchema | undefined;
  answer: v.GenericSchema;
};

/** What the call counts as. Most calls count by who makes them, and by whether they change something. */
export function ratesOf({ auth, method, scope, rate }: Call): readonly CallRate[] {
  if (rate !== undefined) return rate;
  const reads = method === 'GET';
  if (auth === 'none' || auth === 'cookie') return ['strangerCalls'];
  if (auth === 'visitor' || auth === 'any') return [reads ? 'chatReads' : 'chatWrites'];
  const own = reads ? 'staffReads' : 'staffWrites';
  return scope === undefined ? [own] : [own, reads ? 'keyReads' : 'keyWrites'];
}

export const success = v.literal(true);

/** The fields of an object, or a schema. */
type Fields = v.ObjectEntries | v.GenericSchema;
type Declared = Rules & {
  /** For example 'GET /conversations/:id'. */
  route: `${Method} /${string}`;
  body?: Fields;
  query?: Fields;
  answer?: Fields;
} & ({ auth: Exclude<Auth, 'cookie'> } | { auth: 'cookie'; cookie: Cookie });

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

type Defined<D extends Declared> = Omit<D, 'body' | 'query' | 'answer'> & {
  method: D['route'] extends `${infer M} ${string}` ? M : never;
  path: D['route'] extends `${string} ${infer P}` ? P : never;
  body: Input<D extends { body: infer F } ? F : undefined>;
  query: Input<D extends { query: infer F } ? F : undefined>;
  answer: Output<D extends { answer: infer F } ? F : undefined>;
};

/** The names after the colons of a path. */
export type ParamsOf<P> = P extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamsOf<`/${More}`>
    : Rest
  : never;

/**
 * Declares a call. Limits, routes, the pages' client and the API description follow from it. The built pages contain
 * only what they use of it: see web/vite/sources.ts. A call without `body` or `query` ignores them. Every answer also
 * has `success: true`, unless `answer` is a schema. The mark lets the bundler drop calls that a page does not use.
 */
/* @__NO_SIDE_EFFECTS__ */
export function call<const D extends Declared>(declared: D): Defined<D> {
  const { route, body, query, answer = {} }: Declared = declared;
  const [method, path] = route.split(' ');
  return {
    ...declared,
    method,
    path,
    body: body && input(body),
    query: query && input(query),
    answer: isSchema(answer) ? answer : v.object({ success, ...answer }),
  } as unknown as Defined<D>;
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
