import * as v from 'valibot';
import { ApiKey, ApiKeyDraft } from '../model/apiKey.ts';
import { call } from './call.ts';

/** Calls of administrators about keys for programs. No key can make them. */
export const apiKeyCalls = {
  /** The keys that are not revoked, newest first. */
  readApiKeys: call({
    route: 'GET /manage/keys',
    summary: 'Read the API keys. Their secrets are not stored.',
    auth: 'admin',
    answer: { keys: v.array(ApiKey) },
  }),
  createApiKey: call({
    route: 'POST /manage/keys',
    summary: 'Create an API key. Only this response contains it.',
    auth: 'admin',
    refusals: ['password_required'],
    body: ApiKeyDraft,
    answer: { key: ApiKey, secret: v.string() },
  }),
  revokeApiKey: call({
    route: 'DELETE /manage/keys/:id',
    summary: 'Revoke an API key. It is refused from the next request on.',
    auth: 'admin',
  }),
} as const;
