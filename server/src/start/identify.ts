import type { Auth, Call } from '@settee/protocol/calls/call';
import { API_KEY_START, type Scope } from '@settee/protocol/model/apiKey';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { apiKeyTexts } from '@settee/protocol/texts/apiKeyTexts';
import { errorTexts } from '@settee/protocol/texts/errorTexts';
import type { FastifyRequest } from 'fastify';
import { callerFromApiKey } from '../apiKeys/callerFromApiKey.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { requireOwnOrigin } from '../platform/http/origin.ts';
import type { ApiKeyCaller, Caller } from '../platform/ports/caller.ts';
import { callerFromIdToken } from '../staff/callers.ts';

export async function identify(
  app: App,
  { auth, scope }: Call,
  request: FastifyRequest,
): Promise<Caller | ApiKeyCaller | undefined> {
  if (auth === 'none') return undefined;
  if (auth === 'cookie') {
    requireOwnOrigin(app, request);
    return undefined;
  }
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal('unauthenticated');
  if (token.startsWith(API_KEY_START)) {
    const key = await callerFromApiKey(app, token);
    // Before a refusal, so that the security log has it.
    request.keyId = key.keyId;
    requireScope(key, scope);
    return key;
  }
  const { caller } = await callerFromIdToken(app, token);
  requireRole(auth, caller);
  return caller;
}

function requireScope({ scopes }: ApiKeyCaller, scope: Scope | undefined): void {
  if (scope === undefined) throw new Refusal('access_denied', apiKeyTexts.noKeys);
  if (!scopes.includes(scope)) {
    throw new Refusal('access_denied', apiKeyTexts.noScope, { values: { scope } });
  }
}

function requireRole(auth: Auth, caller: Caller): void {
  if (caller.kind === 'visitor') {
    if (auth === 'admin') throw new Refusal('access_denied', adminTexts.adminRequired);
    if (auth !== 'any' && auth !== 'visitor') throw new Refusal('access_denied');
    return;
  }
  if (auth === 'visitor') throw new Refusal('access_denied', errorTexts.visitorsOnly);
  if (auth === 'admin' && caller.role !== 'admin') {
    throw new Refusal('access_denied', adminTexts.adminRequired);
  }
  const closed = !caller.verified || (auth === 'admin' && caller.overdue);
  if (auth !== 'account' && closed) throw new Refusal('second_factor_required');
}
