import type { WebhookPayload } from '@settee/protocol/model/webhook';
import type { Config } from '../platform/config/config.ts';
import { audited } from '../platform/db/audited.ts';
import type { Database } from '../platform/db/database.ts';
import { repeatEvery } from '../platform/limits/repeatEvery.ts';
import { type Log, logFailure } from '../platform/log/log.ts';
import type { Clock, WebhookOutcome, WebhookSender } from '../platform/ports/ports.ts';
import {
  type DueDelivery,
  type DueEndpoint,
  disableFailing,
  findDueEndpoints,
  recordDelivered,
  recordFailed,
  takeDue,
} from './webhookDeliveries.store.ts';
import { openWebhookSecret, webhookHeaders } from './webhookSecrets.ts';

const EVERY_MS = 500;
/** Requests to one endpoint at the same time, by one worker. */
const AT_ONCE = 4;
const LAST_DELAY_SECONDS = 28_800;
/** Before the second attempt, the third, and so on: about a day in total. */
const DELAYS_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, LAST_DELAY_SECONDS, LAST_DELAY_SECONDS];
/** Maximum delay that a receiver may request. */
const RETRY_AFTER_MAX_SECONDS = 3_600;
const GONE = 410;
const SECRET_CLOSED = 'the secret of a webhook cannot be opened with this SECRET';

type Parts = { db: Database; config: Config; webhooks: WebhookSender; clock: Clock; log: Log };

/**
 * Delivers events until stopped. Any number of processes may run it. Each endpoint has its own loop, so that a slow one
 * does not delay the others. Events of one invite are sent one after another, in their order.
 */
export function startWebhookDeliveries(parts: Parts): { stop(): Promise<void> } {
  const { db, clock, log } = parts;
  const running = new Map<string, Promise<void>>();
  const unreadable = new Set<string>();
  let stopping = false;
  let hasWebhooks = false;

  /** With a wrong SECRET, deliveries wait. It is no failure of the receiver. */
  const canSign = (endpoint: DueEndpoint): boolean => {
    const { endpointId: id, url } = endpoint;
    if (openSecrets(parts, endpoint).length > 0) {
      unreadable.delete(id);
      return true;
    }
    if (!unreadable.has(id)) log.error({ host: new URL(url).host }, SECRET_CLOSED);
    unreadable.add(id);
    return false;
  };
  const serve = async (endpointId: string): Promise<void> => {
    for (;;) {
      if (stopping) return;
      const { taken, more } = await takeDue(db, endpointId, AT_ONCE);
      if (!more) return;
      await Promise.all(taken.map((delivery) => deliver(parts, delivery)));
    }
  };
  const start = async (): Promise<void> => {
    for (const endpoint of await findDueEndpoints(db)) {
      const { endpointId: id } = endpoint;
      hasWebhooks = true;
      if (stopping || running.has(id) || !canSign(endpoint)) continue;
      const loop = logFailure(log, 'webhooks not delivered', () => serve(id));
      running.set(
        id,
        loop.finally(() => running.delete(id)),
      );
    }
  };
  // Without webhooks, nothing was missed. Others report that the database is away.
  const loop = repeatEvery(clock, EVERY_MS, async () => {
    if (hasWebhooks) return logFailure(log, 'due webhooks not read', start);
    await start().catch(() => {});
  });

  return {
    async stop() {
      stopping = true;
      await loop.stop();
      await Promise.all(running.values());
    },
  };
}

/** At least once: a process that dies before the result is recorded leaves the delivery to others. */
async function deliver(parts: Parts, delivery: DueDelivery): Promise<void> {
  const { db, clock, log } = parts;
  const began = clock.now();
  const outcome = await send(parts, delivery);
  const { status } = outcome;
  const problem = status === null ? outcome.problem : null;
  const attempt = { status, problem, tookMs: clock.now() - began };
  if (status !== null && status >= 200 && status < 300) return recordDelivered(db, delivery, attempt);

  const { endpointId, attempts } = delivery;
  const asked = status === null ? 0 : (outcome.retryAfterSeconds ?? 0);
  const askedSeconds = Math.min(asked, RETRY_AFTER_MAX_SECONDS);
  const retrySeconds = retryDelay(delivery, askedSeconds);
  const { host } = new URL(delivery.url);
  const reason = problem ?? `status ${status}`;
  log.warn({ reason, host, tries: attempts, givesUp: retrySeconds === null }, 'webhook not delivered');
  await recordFailed(db, delivery, { ...attempt, retrySeconds, askedSeconds });
  await audited({ db }, 'system', async (step, record) => {
    const disabled = await disableFailing(step, endpointId, status === GONE);
    if (disabled) record('webhook.disable', endpointId, { host, status });
  });
}

async function send({ config, webhooks, clock }: Parts, delivery: DueDelivery): Promise<WebhookOutcome> {
  const secrets = openSecrets({ config }, delivery);
  if (secrets.length === 0) throw new Error(SECRET_CLOSED);
  const body = JSON.stringify(webhookPayload(delivery));
  const headers = webhookHeaders(secrets, { id: `evt_${delivery.id}`, body, now: clock.now() });
  return webhooks.send(delivery.url, { headers, body });
}

/** The body of a delivery. It has ids, and text only if the endpoint asks for it. */
function webhookPayload(delivery: DueDelivery): WebhookPayload {
  const { type, at, inviteId } = delivery;
  const event = { type, timestamp: at.toISOString() };
  const { conversationId, messageId, seq, fromOwner, image, text } = delivery;
  const data = {
    inviteId,
    ...(conversationId !== null && { conversationId }),
    ...(messageId !== null && { messageId, seq }),
    ...(type === 'message.stored' && {
      from: fromOwner ? 'owner' : 'visitor',
      kind: image ? 'image' : 'text',
      ...(text !== null && !image && { text }),
    }),
  };
  return { ...event, data } as WebhookPayload;
}

function openSecrets(
  { config }: Pick<Parts, 'config'>,
  { endpointId, secret, previousSecret }: DueEndpoint,
): string[] {
  return [secret, previousSecret]
    .map((each) => each && openWebhookSecret({ config }, endpointId, each))
    .filter((each) => typeof each === 'string');
}

/** Null gives up. Without a success of others, the receiver is the problem, and the event waits for its recovery. */
function retryDelay({ attempts, resent, recovered }: DueDelivery, askedSeconds: number): number | null {
  const own = DELAYS_SECONDS[attempts - 1];
  if (resent || (own === undefined && recovered)) return null;
  return Math.max(own ?? LAST_DELAY_SECONDS, askedSeconds);
}
