import { type Call, ratesOf } from '@settee/protocol/calls/call';
import type { CallRate } from '@settee/protocol/calls/rates';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { allow } from '../auth/rateLimits.ts';
import { type Rate, rates } from '../limits/table.ts';
import { type ApiKeyCaller, authorIdOf, type Caller } from '../ports/caller.ts';
import { addressKey } from './client.ts';

/** Counts a request by its address, before its body is read. A body of unknown length counts with the maximum. */
export async function limitRequest(app: App, request: FastifyRequest): Promise<void> {
  const address = addressKey(request.ip);
  await allow(app, 'calls', address);
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  const bytes = chunked === undefined ? Number(length ?? 0) : request.routeOptions.bodyLimit;
  if (bytes > 0) await allow(app, 'bodyBytes', address, bytes);
}

/** The limits of a call per address, before the caller is known. */
export async function limitAddress(app: App, call: Call, request: FastifyRequest): Promise<void> {
  for (const limit of limitsOf(call, 'address')) await allow(app, limit, addressKey(request.ip));
}

/** The limits of a call per person or API key, and per conversation. */
export async function limitCaller(
  app: App,
  call: Call,
  caller: Caller | ApiKeyCaller,
  conversationId: string | undefined,
): Promise<void> {
  if (caller.kind === 'key') {
    for (const limit of limitsOf(call, 'key')) await allow(app, limit, caller.keyId);
    return;
  }
  for (const limit of limitsOf(call, 'person')) await allow(app, limit, authorIdOf(caller));
  if (conversationId === undefined) return;
  for (const limit of limitsOf(call, 'conversation')) await allow(app, limit, conversationId);
}

function limitsOf(call: Call, per: Rate['per']): CallRate[] {
  return ratesOf(call).filter((name) => {
    const rate: Rate = rates[name];
    return rate.per === per && rate.byAction !== true;
  });
}
