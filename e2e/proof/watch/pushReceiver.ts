import { makeVapidKey, vapidPublicKey } from '../../../server/src/config/vapidKey.ts';
import { startPushService } from '../../../server/test/pushService/pushService.ts';
import type { PushService } from '../../../server/test/pushService/service.ts';

/** A push service for the watchers, and the settings with which gateways and workers use it. */
export async function startPushReceiver(): Promise<{ push: PushService; env: Record<string, string> }> {
  const privateKey = makeVapidKey();
  const push = await startPushService({ publicKey: vapidPublicKey(privateKey) ?? '' });
  return {
    push,
    env: {
      VAPID_PRIVATE_KEY: privateKey,
      VAPID_SUBJECT: 'mailto:push@settee.example',
      PUSH_HOSTS: push.host,
      NODE_EXTRA_CA_CERTS: push.certificate.certPath,
    },
  };
}
