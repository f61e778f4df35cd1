import { type OutsideUrl, readOutsideUrl } from '../platform/net/outsideUrl.ts';

/** A name with a dot. The last label has a letter, so that no spelling of an IP address fits. */
const NAME = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
/** Names of local networks. The dialler refuses private addresses of other names. */
const LOCAL = /\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp|svc|arpa)$/;

/** Undefined for an address that we do not send to. WEBHOOK_HOSTS lists hosts in the own network. */
export function readWebhookUrl(address: string, listedHosts: readonly string[]): OutsideUrl | undefined {
  return readOutsideUrl(address, listedHosts, (name) => NAME.test(name) && !LOCAL.test(name));
}
