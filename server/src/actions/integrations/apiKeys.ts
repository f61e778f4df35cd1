import { API_KEYS_MAX, type ApiKey, type ApiKeyDraft } from '@settee/protocol/model/apiKey';
import { apiKeyTexts } from '@settee/protocol/texts/apiKeyTexts';
import type { App } from '../../app.ts';
import { newApiKey } from '../../auth/apiKeys.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { countApiKeys, insertApiKey, revokeApiKey as revoke } from '../../db/integrations/apiKeys.ts';
import { requireRecentProof } from '../staff/peopleRules.ts';

/** Only this answer contains the key. It belongs to the installation: it works after its creator left. */
export async function createApiKey(
  app: App,
  staff: Staff,
  { name, scopes, days }: ApiKeyDraft,
): Promise<{ key: ApiKey; secret: string }> {
  const { secret, ...stored } = newApiKey(app);
  const key = await app.db.transaction(async (db) => {
    await requireRecentProof(db, staff);
    if ((await countApiKeys(db)) >= API_KEYS_MAX) {
      throw new Refusal('bad_request', apiKeyTexts.tooMany, { values: { count: API_KEYS_MAX } });
    }
    const unique = [...new Set(scopes)];
    const made = await insertApiKey(db, { ...stored, name, scopes: unique, days, createdBy: staff.staffId });
    const details = { scopes: unique.join(' '), days };
    await insertAudit(db, { actor: staff.staffId, action: 'key.create', target: made.id, details });
    return made;
  });
  app.announce.managementChanged('audit');
  return { key, secret };
}

export async function revokeApiKey(app: App, staff: Staff, id: string): Promise<void> {
  await app.db.transaction(async (db) => {
    if (!(await revoke(db, id))) throw noSuchKey();
    await insertAudit(db, { actor: staff.staffId, action: 'key.revoke', target: id });
  });
  app.announce.managementChanged('audit');
}

export function noSuchKey(): Refusal {
  return new Refusal('not_found', apiKeyTexts.noSuchKey);
}
