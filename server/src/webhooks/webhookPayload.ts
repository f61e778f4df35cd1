import type { WebhookPayload } from '@settee/protocol/model/webhook';
import type { DueDelivery } from './webhookDeliveries.store.ts';

/** The body of a delivery. It has ids, and text only if the endpoint asks for it. */
export function webhookPayload(delivery: DueDelivery): WebhookPayload {
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
