import { API_KEYS_MAX, type ApiKey, type ApiKeyDraft } from '@settee/protocol/model/apiKey';
import { apiKeyTexts } from '@settee/protocol/texts/apiKeyTexts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import type { Staff } from '../platform/ports/caller.ts';
import { requireRecentProof } from '../staff/people/peopleRules.ts';
import { countApiKeys, insertApiKey, revokeApiKey as revoke } from './apiKeys.store.ts';
import { newApiKey } from './callerFromApiKey.ts';

/** Only this answer contains the key. It belongs to the installation: it works after its creator left. */
export async function createApiKey(
  app: App,
  staff: Staff,
  { name, scopes, days }: ApiKeyDraft,
): Promise<{ key: ApiKey; secret: string }> {
  const { secret, ...stored } = newApiKey(app);
  const key = await audited(app, staff, async (db, record) => {
    await requireRecentProof(db, staff);
    if ((await countApiKeys(db)) >= API_KEYS_MAX) {
      throw new Refusal('bad_request', apiKeyTexts.tooMany, { values: { count: API_KEYS_MAX } });
    }
    const unique = [...new Set(scopes)];
    const made = await insertApiKey(db, { ...stored, name, scopes: unique, days, createdBy: staff.staffId });
    record('key.create', made.id, { scopes: unique.join(' '), days });
    return made;
  });
  return { key, secret };
}

export async function revokeApiKey(app: App, staff: Staff, id: string): Promise<void> {
  await audited(app, staff, async (db, record) => {
    if (!(await revoke(db, id))) throw noSuchKey();
    record('key.revoke', id);
  });
}

export function noSuchKey(): Refusal {
  return new Refusal('not_found', apiKeyTexts.noSuchKey);
}
