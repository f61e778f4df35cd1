import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startWebhookReceiver, type WebhookReceiver } from '../../server/test/webhookReceiver.ts';

/** A receiver that this installation may send to: see tools/againstProduct.ts. */
export function startAllowedReceiver(index: number): Promise<WebhookReceiver> {
  const { WEBHOOK_HOSTS = '', NODE_EXTRA_CA_CERTS: certPath = '' } = process.env;
  const hosts = WEBHOOK_HOSTS.split(',');
  const port = Number(new URL(`https://${hosts[index % hosts.length]}`).port);
  const certificate = {
    key: readFileSync(join(dirname(certPath), 'key.pem'), 'utf8'),
    cert: readFileSync(certPath, 'utf8'),
    certPath,
    // Others use it too.
    remove: () => {},
  };
  return startWebhookReceiver({ port, certificate });
}
