import { OUTBOX_SYNC } from '../chat/outbox/outbox.ts';
import { workerFailed, workers } from '../push/serviceWorker.ts';

// Not in every browser, and so not in TypeScript's `dom`.
type WithSync = { sync?: { register(tag: string): Promise<void> } };

/** Asks the browser to wake the worker once there is a network, also when this page is gone by then. */
export function askForSync(): void {
  workers()
    ?.ready.then((registration) => (registration as WithSync).sync?.register(OUTBOX_SYNC))
    .catch(workerFailed);
}
