import * as v from 'valibot';
import { apiKeyTexts } from '../texts/apiKeyTexts.ts';
import { Time, Uuid } from './ids.ts';
import { Line } from './line.ts';

export const API_KEY_NAME_MAX = 60;
export const API_KEYS_MAX = 50;
export const API_KEY_DAYS_MAX = 3_650;
/** Keys start with it, so that secret scanners recognise them. */
export const API_KEY_START = 'settee_';

/** What a key may do. Each call for keys names one scope (`scope` in protocol/src/calls). */
export const Scope = v.picklist(['invites:read', 'invites:write', 'conversations:read', 'messages:read']);
export type Scope = v.InferOutput<typeof Scope>;

export const ApiKeyName = v.pipe(
  Line,
  v.minLength(1, apiKeyTexts.nameMissing),
  v.maxLength(API_KEY_NAME_MAX, apiKeyTexts.nameTooLong),
);

export const ApiKeyDraft = v.strictObject({
  name: ApiKeyName,
  scopes: v.pipe(
    v.array(Scope),
    v.minLength(1, apiKeyTexts.scopesMissing),
    v.maxLength(Scope.options.length),
  ),
  /** Days until it expires; null for a key that does not expire. */
  days: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(API_KEY_DAYS_MAX))),
});
export type ApiKeyDraft = v.InferOutput<typeof ApiKeyDraft>;

/** A key without its secret, which is not stored. */
export const ApiKey = v.object({
  id: Uuid,
  name: v.string(),
  /** The first characters of the key. */
  prefix: v.string(),
  scopes: v.array(Scope),
  createdAt: Time,
  /** Name of the administrator who created it. */
  createdBy: v.string(),
  /** Whether that administrator's account is active. The key works either way. */
  creatorActive: v.boolean(),
  expiresAt: v.nullable(Time),
  /** At most a minute too old; null if never used. */
  lastUsedAt: v.nullable(Time),
});
export type ApiKey = v.InferOutput<typeof ApiKey>;
