import {
  WEBHOOK_URL_MAX,
  WEBHOOKS_MAX,
  type Webhook,
  type WebhookChange,
  type WebhookDraft,
} from '@settee/protocol/model/webhook';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import type { AuditDetails } from '../platform/db/audit.ts';
import { audited } from '../platform/db/audited.ts';
import type { Database, DbTransaction } from '../platform/db/database.ts';
import type { Staff } from '../platform/ports/caller.ts';
import { requireRecentProof } from '../staff/people/peopleRules.ts';
import { resendDelivery as resend } from './webhookDeliveries.store.ts';
import {
  countWebhooks,
  findSecret,
  findWebhook,
  insertWebhook,
  lockWebhook,
  deleteWebhook as remove,
  rotateSecret,
  updateWebhook,
} from './webhookEndpoints.store.ts';
import { newWebhookSecret, openWebhookSecret, sealWebhookSecret } from './webhookSecrets.ts';
import { readWebhookUrl } from './webhookUrl.ts';

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
  const webhook = await audited(app, staff, async (db, record) => {
    await requireRecentProof(db, staff);
    if ((await countWebhooks(db)) >= WEBHOOKS_MAX) {
      throw new Refusal('bad_request', webhookTexts.tooMany, { values: { count: WEBHOOKS_MAX } });
    }
    const stored = { ...draft, url, events: [...new Set(draft.events)] };
    const made = await insertWebhook(db, { ...stored, id, secret: sealWebhookSecret(app, id, secret) });
    record('webhook.create', id, detailsOf(stored));
    return made;
  });
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
  await audited(app, staff, async (db, record) => {
    if (Object.keys(content).length > 0) await requireRecentProof(db, staff);
    const { url } = await requireWebhook(db, id);
    if (change.state === 'active') await requireSecret(app, db, id);
    await updateWebhook(db, id, stored);
    record('webhook.update', id, detailsOf({ ...stored, url: stored.url ?? url }));
  });
}

export async function deleteWebhook(app: App, staff: Staff, id: string): Promise<void> {
  await audited(app, staff, async (db, record) => {
    const webhook = await requireWebhook(db, id);
    await remove(db, id);
    record('webhook.delete', id, hostOf(webhook));
  });
}

/** The previous secret signs too, for a day. One that is older stops at once. */
export async function rotateWebhookSecret(
  app: App,
  staff: Staff,
  id: string,
): Promise<{ secret: string; previousUntil: number }> {
  const secret = newWebhookSecret(app);
  const previousUntil = await audited(app, staff, async (db, record) => {
    await requireRecentProof(db, staff);
    const webhook = await requireWebhook(db, id);
    const until = await rotateSecret(db, id, sealWebhookSecret(app, id, secret));
    record('webhook.rotate', id, hostOf(webhook));
    return until;
  });
  return { secret, previousUntil: previousUntil.getTime() };
}

export async function resendDelivery(app: App, staff: Staff, id: string, position: number): Promise<void> {
  await audited(app, staff, async (db, record) => {
    // Not locked: a worker may lock the delivery first.
    const webhook = await requireWebhook(db, id, findWebhook);
    if (webhook.state !== 'active') throw new Refusal('bad_request', webhookTexts.notActive);
    if (!(await resend(db, id, position))) throw new Refusal('not_found', webhookTexts.noSuchDelivery);
    record('webhook.resend', id, { ...hostOf(webhook), position });
  });
}

/** Locks it until the commit, unless told only to find it. */
export async function requireWebhook(
  db: Database | DbTransaction,
  id: string,
  find = lockWebhook,
): Promise<Webhook> {
  const webhook = await find(db, id);
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

/** The address may contain a token, so the audit log has only its host. */
function hostOf({ url }: { url: string }): { host: string } {
  return { host: new URL(url).host };
}

function detailsOf({ url, events, ...rest }: WebhookChange & { url: string }): AuditDetails {
  return { ...hostOf({ url }), ...(events !== undefined && { events: events.join(' ') }), ...rest };
}

/** It cannot be opened if SECRET was lost. */
async function requireSecret(app: App, db: DbTransaction, id: string): Promise<void> {
  const secret = await findSecret(db, id);
  if (secret === undefined || openWebhookSecret(app, id, secret) === undefined) {
    throw new Refusal('bad_request', webhookTexts.secretLost);
  }
}
