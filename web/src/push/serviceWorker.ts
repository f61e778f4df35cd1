const SCRIPT = '/sw.js';
/** Leaves the network to the page on the first visit. */
const REGISTER_AFTER_MS = 2_000;

// Not in TypeScript's `dom` yet, or not in every browser.
type Policy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, policy: Policy): Policy };

/** Only in a secure context: https or localhost. */
export function workers(): ServiceWorkerContainer | undefined {
  return isSecureContext ? navigator.serviceWorker : undefined;
}

export function startServiceWorker(): void {
  setTimeout(() => void registerWorker()?.catch(workerFailed), REGISTER_AFTER_MS);
}

let registering: Promise<unknown> | undefined;

/** Registers once per page. Can be called before the delay is over. After a failure the next call tries again. */
export function registerWorker(): Promise<unknown> | undefined {
  registering ??= workers()
    ?.register(trustedScript())
    .catch((error: unknown) => {
      registering = undefined;
      throw error;
    });
  return registering;
}

/** A policy can be created only once. */
let trusted: string | undefined;

/** The page's policy allows only script addresses from here, and this is the only one. */
function trustedScript(): string {
  if (trusted !== undefined) return trusted;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('settee', { createScriptURL: () => SCRIPT });
  trusted = policy?.createScriptURL(SCRIPT) ?? SCRIPT;
  return trusted;
}

export function workerFailed(error: unknown): void {
  console.error('service worker:', error);
}
