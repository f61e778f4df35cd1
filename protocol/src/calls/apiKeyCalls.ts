import * as v from 'valibot';
import { ApiKey, ApiKeyDraft } from '../model/apiKey.ts';
import { call } from './call.ts';

/** Calls of administrators about keys for programs. No key can make them. */
export const apiKeyCalls = {
  /** The keys that are not revoked, newest first. */
  readApiKeys: call('GET', '/manage/keys', 'admin', { answer: { keys: v.array(ApiKey) } }),
  /** `secret` is the key itself. Only this answer contains it. */
  createApiKey: call('POST', '/manage/keys', 'admin', {
    body: ApiKeyDraft,
    answer: { key: ApiKey, secret: v.string() },
  }),
  /** The key is refused from the next request on. */
  revokeApiKey: call('DELETE', '/manage/keys/:id', 'admin'),
} as const;
