const SCRIPT = '/sw.js';
/** The first visit's network belongs to the page. */
const REGISTER_AFTER_MS = 2_000;

// Too young for TypeScript's `dom`, or not in every browser.
type Policy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, policy: Policy): Policy };

/** Only in a secure context: https, or this machine. */
export function workers(): ServiceWorkerContainer | undefined {
  return isSecureContext ? navigator.serviceWorker : undefined;
}

export function startServiceWorker(): void {
  setTimeout(() => void registerWorker()?.catch(workerFailed), REGISTER_AFTER_MS);
}

let registering: Promise<unknown> | undefined;

/** Once per page; who needs the worker sooner need not wait. One that failed is tried again by whoever needs it next. */
export function registerWorker(): Promise<unknown> | undefined {
  registering ??= workers()
    ?.register(trustedScript())
    .catch((error: unknown) => {
      registering = undefined;
      throw error;
    });
  return registering;
}

/** A policy lets itself be made once. */
let trusted: string | undefined;

/** The page's policy demands that the address of a script comes from here, and only this one does. */
function trustedScript(): string {
  if (trusted !== undefined) return trusted;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('settee', {
    createScriptURL(url) {
      if (url !== SCRIPT) throw new TypeError(`not a script of ours: ${url}`);
      return url;
    },
  });
  trusted = policy?.createScriptURL(SCRIPT) ?? SCRIPT;
  return trusted;
}

export function workerFailed(error: unknown): void {
  console.error('service worker:', error);
}
