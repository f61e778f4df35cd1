import type { Call } from '@settee/protocol/calls/call';
import type { Answer, Body, CallName, Calls, Params } from '@settee/protocol/calls/http';
import { ErrorCode } from '@settee/protocol/model/errorCodes';
import { texts } from '@settee/protocol/texts/texts';
import * as v from 'valibot';
import type { Clock } from './clock.ts';
import type { IdToken } from './live.ts';
import { shareInFlight } from './shareInFlight.ts';

export type Failure<N extends CallName = CallName> = {
  ok: false;
  code: ErrorCode | undefined;
  /** The error text. Empty if the server sent none. */
  text: string;
  /** 0 if no answer arrived. */
  status: number;
  /** How long the server asked to wait before the next try. */
  waitMs?: number | undefined;
  /** The fields of the answer that a refusal may contain. */
  answer: Answer<N> | undefined;
};
export type Result<N extends CallName> = { ok: true; answer: Answer<N> } | Failure<N>;

export type RequestParts<N extends CallName> = {
  query?: Record<string, string>;
} & (keyof Params<N> extends never ? { params?: undefined } : { params: Params<N> }) &
  (Calls[N] extends { bytes: number }
    ? { body: Blob }
    : Body<N> extends undefined
      ? { body?: undefined }
      : { body: Body<N> });

type LooseParts = {
  params?: Record<string, string> | undefined;
  query?: Record<string, string>;
  body?: unknown;
};

export type Api<Known extends CallName = CallName> = <N extends Known>(
  name: N,
  parts: RequestParts<N>,
) => Promise<Result<N>>;

type ApiParts = { fetch?: typeof fetch; tokens?: TokenHolder; origin?: string };

const ANSWER_WITHIN_MS = 15_000;

const withStatusText: ReadonlySet<CallName> = new Set(['claimInvite', 'attachInvite']);

/**
 * Creates a typed function for the given calls. It validates answers and never throws. A page passes only the calls it
 * needs.
 */
export function createApi<T extends Partial<Calls>>(
  table: T,
  { fetch = globalThis.fetch, tokens, origin = '' }: ApiParts,
): Api<keyof T & CallName> {
  const calls = table as unknown as Calls;

  async function ask(name: CallName, parts: LooseParts, token: string | undefined) {
    const { method, path, bytes }: Call = calls[name];
    const raw = bytes !== undefined;
    return fetch(origin + fill(path, parts.params) + search(parts.query), {
      method,
      headers: {
        ...(parts.body !== undefined && !raw && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(typeof document === 'object' && { 'accept-language': document.documentElement.lang }),
      },
      body: raw ? (parts.body as Blob) : parts.body === undefined ? null : JSON.stringify(parts.body),
      // Treat a silent network as offline.
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
  }

  return async (name, parts) => {
    const bearer = !['none', 'cookie'].includes(calls[name].auth) ? tokens : undefined;
    try {
      let response = await ask(name, parts, (await bearer?.get())?.idToken);
      if (response.status === 401 && bearer) {
        response = await ask(name, parts, (await bearer.renew()).idToken);
      }
      return await read(name, calls[name].answer, response);
    } catch (error) {
      console.error(`${name}:`, error);
      return { ok: false, code: undefined, text: texts.networkError, status: 0, answer: undefined };
    }
  };
}

async function read<N extends CallName>(
  name: N,
  schema: v.GenericSchema,
  response: Response,
): Promise<Result<N>> {
  const body: unknown = await response.json().catch(() => undefined);
  const parsed = v.safeParse(schema, body);
  const answer = parsed.success ? (parsed.output as Answer<N>) : undefined;
  if (response.ok && answer && (answer as { success: boolean }).success) return { ok: true, answer };

  const refusal = v.safeParse(RefusalFields, body);
  const { error, code } = refusal.success ? refusal.output : { error: undefined, code: undefined };
  const fallback = response.ok && answer ? '' : httpText(name, response);
  const waitMs = retryAfter(response.headers.get('retry-after'));
  return { ok: false, code, text: error || fallback, status: response.status, waitMs, answer };
}

/** Only seconds, as our server sends them. A proxy may send a date. */
function retryAfter(seconds: string | null): number | undefined {
  const ms = Number(seconds) * 1_000;
  return ms > 0 ? ms : undefined;
}

const RefusalFields = v.object({
  error: v.fallback(v.optional(v.string()), undefined),
  code: v.fallback(v.optional(ErrorCode), undefined),
});

function httpText(name: CallName, response: Response): string {
  const bare = `HTTP ${response.status}`;
  return withStatusText.has(name) ? `${bare} ${response.statusText}`.trim() : bare;
}

function fill(path: string, params: Record<string, string> | undefined): string {
  return path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params?.[key] ?? ''));
}

function search(query: Record<string, string> | undefined): string {
  return query ? `?${new URLSearchParams(query)}` : '';
}

const RENEW_BEFORE_END_MS = 5 * 60_000;

/** Holds a short-lived ID token. Renews it early, with one request for all callers. */
export type TokenHolder = {
  get(): Promise<IdToken>;
  renew(): Promise<IdToken>;
  /** Stores a token from another answer, such as a sign-in. */
  keep(token: IdToken): void;
  forget(): void;
};

export function tokenHolder(clock: Clock, fetchToken: () => Promise<IdToken>): TokenHolder {
  let held: IdToken | undefined;

  const renew = shareInFlight(async () => {
    held = await fetchToken();
    return held;
  });

  return {
    get: async () => (held && held.expiresAt - clock.now() > RENEW_BEFORE_END_MS ? held : renew()),
    renew,
    keep(token) {
      held = token;
    },
    forget() {
      held = undefined;
    },
  };
}
