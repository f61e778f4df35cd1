import { OUTBOX_SYNC } from '../chat/outbox.ts';

const SCRIPT = '/sw.js';
/** The first visit's network belongs to the chat. */
const REGISTER_AFTER_MS = 2_000;

// Too young for TypeScript's `dom`, or not in every browser.
type Policy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, policy: Policy): Policy };
type WithSync = { sync?: { register(tag: string): Promise<void> } };

/** Where there is one: in a secure context, and not under the development server, which builds none. */
function workers(): ServiceWorkerContainer | undefined {
  return import.meta.env.PROD && isSecureContext ? navigator.serviceWorker : undefined;
}

export function startServiceWorker(): void {
  setTimeout(() => void register().catch(logged), REGISTER_AFTER_MS);
}

async function register(): Promise<void> {
  await workers()?.register(trustedScript());
}

/** Asks the browser to wake the worker once there is a network, also when this page is gone by then. */
export function askForSync(): void {
  workers()
    ?.ready.then((registration) => (registration as WithSync).sync?.register(OUTBOX_SYNC))
    .catch(logged);
}

/** The page's policy demands that the address of a script comes from here, and only this one does. */
function trustedScript(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('settee', {
    createScriptURL(url) {
      if (url !== SCRIPT) throw new TypeError(`not a script of ours: ${url}`);
      return url;
    },
  });
  return policy?.createScriptURL(SCRIPT) ?? SCRIPT;
}

function logged(error: unknown): void {
  console.error('service worker:', error);
}
