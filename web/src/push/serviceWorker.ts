const SCRIPT = '/sw.js';
/** The first visit's network belongs to the page. */
const REGISTER_AFTER_MS = 2_000;

// Too young for TypeScript's `dom`, or not in every browser.
type Policy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, policy: Policy): Policy };

/** Where there is one: in a secure context, and not under the development server, which builds none. */
export function workers(): ServiceWorkerContainer | undefined {
  return import.meta.env.PROD && isSecureContext ? navigator.serviceWorker : undefined;
}

export function startServiceWorker(): void {
  setTimeout(() => void register().catch(workerFailed), REGISTER_AFTER_MS);
}

async function register(): Promise<void> {
  await workers()?.register(trustedScript());
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

export function workerFailed(error: unknown): void {
  console.error('service worker:', error);
}
