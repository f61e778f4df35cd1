import {
  WEBHOOK_URL_MAX,
  WEBHOOKS_MAX,
  type Webhook,
  type WebhookChange,
  type WebhookDraft,
} from '@settee/protocol/model/webhook';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import { newWebhookSecret, openWebhookSecret, sealWebhookSecret } from '../../auth/webhookSecrets.ts';
import type { Staff } from '../../caller.ts';
import { readWebhookUrl } from '../../config/webhookUrl.ts';
import { type AuditAction, type AuditDetails, insertAudit } from '../../db/audit/audit.ts';
import type { DbTransaction } from '../../db/engine/database.ts';
import { resendDelivery as resend } from '../../db/integrations/webhookDeliveries.ts';
import {
  countWebhooks,
  findSecret,
  findWebhook,
  insertWebhook,
  lockWebhook,
  deleteWebhook as remove,
  rotateSecret,
  updateWebhook,
} from '../../db/integrations/webhookEndpoints.ts';
import { requireRecentProof } from '../staff/peopleRules.ts';

export function noSuchWebhook(): Refusal {
  return new Refusal('not_found', webhookTexts.noSuchWebhook);
}

/** Only this answer contains the secret. */
export async function createWebhook(
  app: App,
  staff: Staff,
  draft: WebhookDraft,
): Promise<{ webhook: Webhook; secret: string }> {
  const url = readAddress(app, draft.url);
  const id = app.random.uuid();
  const secret = newWebhookSecret(app);
  const webhook = await app.db.transaction(async (db) => {
    await requireRecentProof(db, staff);
    if ((await countWebhooks(db)) >= WEBHOOKS_MAX) {
      throw new Refusal('bad_request', webhookTexts.tooMany, { values: { count: WEBHOOKS_MAX } });
    }
    const stored = { ...draft, url, events: [...new Set(draft.events)] };
    const made = await insertWebhook(db, { ...stored, id, secret: sealWebhookSecret(app, id, secret) });
    await audit(db, staff, 'webhook.create', made, detailsOf(stored));
    return made;
  });
  app.announce.managementChanged('audit');
  return { webhook, secret };
}

/** Only pausing and resuming need no recent proof: they open nothing new. */
export async function changeWebhook(
  app: App,
  staff: Staff,
  id: string,
  change: WebhookChange,
): Promise<void> {
  const stored = { ...change, ...(change.url !== undefined && { url: readAddress(app, change.url) }) };
  const { state: _, ...content } = change;
  await app.db.transaction(async (db) => {
    if (Object.keys(content).length > 0) await requireRecentProof(db, staff);
    const { url } = known(await lockWebhook(db, id));
    if (change.state === 'active') await requireSecret(app, db, id);
    await updateWebhook(db, id, stored);
    await audit(db, staff, 'webhook.update', { id, url: stored.url ?? url }, detailsOf(stored));
  });
  app.announce.managementChanged('audit');
}

export async function deleteWebhook(app: App, staff: Staff, id: string): Promise<void> {
  await app.db.transaction(async (db) => {
    const webhook = known(await lockWebhook(db, id));
    await remove(db, id);
    await audit(db, staff, 'webhook.delete', webhook);
  });
  app.announce.managementChanged('audit');
}

/** The previous secret signs too, for a day. One that is older stops at once. */
export async function rotateWebhookSecret(
  app: App,
  staff: Staff,
  id: string,
): Promise<{ secret: string; previousUntil: number }> {
  const secret = newWebhookSecret(app);
  const previousUntil = await app.db.transaction(async (db) => {
    await requireRecentProof(db, staff);
    const webhook = known(await lockWebhook(db, id));
    const until = await rotateSecret(db, id, sealWebhookSecret(app, id, secret));
    await audit(db, staff, 'webhook.rotate', webhook);
    return until;
  });
  app.announce.managementChanged('audit');
  return { secret, previousUntil: previousUntil.getTime() };
}

export async function resendDelivery(app: App, staff: Staff, id: string, position: number): Promise<void> {
  await app.db.transaction(async (db) => {
    // Not locked: a worker may lock the delivery first.
    const webhook = known(await findWebhook(db, id));
    if (webhook.state !== 'active') throw new Refusal('bad_request', webhookTexts.notActive);
    if (!(await resend(db, id, position))) throw new Refusal('not_found', webhookTexts.noSuchDelivery);
    await audit(db, staff, 'webhook.resend', webhook, { position });
  });
  app.announce.managementChanged('audit');
}

function known(webhook: Webhook | undefined): Webhook {
  if (webhook === undefined) throw noSuchWebhook();
  return webhook;
}

/** As a URL parser writes it: the sender refuses other spellings. */
function readAddress({ config }: App, given: string): string {
  const url = URL.parse(given)?.href ?? '';
  if (url.length > WEBHOOK_URL_MAX || readWebhookUrl(url, config.webhookHosts) === undefined) {
    throw new Refusal('bad_request', webhookTexts.urlRefused);
  }
  return url;
}

function detailsOf({ url: _, events, ...rest }: WebhookChange): Record<string, unknown> {
  return { ...(events !== undefined && { events: events.join(' ') }), ...rest };
}

/** It cannot be opened if SECRET was lost. */
async function requireSecret(app: App, db: DbTransaction, id: string): Promise<void> {
  const secret = await findSecret(db, id);
  if (secret === undefined || openWebhookSecret(app, id, secret) === undefined) {
    throw new Refusal('bad_request', webhookTexts.secretLost);
  }
}

/** The address may contain a token, so the log has only its host. */
function audit(
  db: DbTransaction,
  { staffId: actor }: Staff,
  action: AuditAction,
  { id: target, url }: Pick<Webhook, 'id' | 'url'>,
  details: AuditDetails = {},
): Promise<void> {
  return insertAudit(db, { actor, action, target, details: { host: new URL(url).host, ...details } });
}
