import { mediaIdOf, READ_SECONDS } from '@settee/protocol/model/media';
import type { Api } from '../../../net/api.ts';
import { type OnLine, type RetryParts, retryCall } from '../upload/retryCall.ts';

/** Addresses that expire sooner are not used, because the image must still load. */
const SPARE_MS = 30_000;

/** Maximum number of own images kept in memory. */
const OWN_KEPT = 20;

/** Resolves a message's mediaUrl to an address that the browser can load. */
export type MediaAddresses = {
  /** The cached address, so that a re-rendered image appears at once. */
  known(mediaUrl: string): string | undefined;
  /** Requests an address if needed. Concurrent requests share one call. Undefined on failure. */
  get(mediaUrl: string): Promise<string | undefined>;
  /** The address did not load. It is not used again. */
  failed(mediaUrl: string, address: string): void;
  /** Calls back when failed addresses are worth another request. */
  onLine: OnLine;
  /** An image sent by this page, shown from its preview. */
  keepOwn(mediaUrl: string, preview: string): void;
  stop(): void;
};

type Parts = Omit<RetryParts, 'signal'> & { conversationId: string; api: Api<'readMedia'> };

export function startMediaAddresses({ conversationId, api, ...patience }: Parts): MediaAddresses {
  const { clock } = patience;
  const addresses = new Map<string, { address: string; until: number }>();
  const asked = new Map<string, Promise<string | undefined>>();
  const own = new Map<string, string>();
  const stopping = new AbortController();

  function known(mediaUrl: string): string | undefined {
    const kept = addresses.get(mediaUrl);
    return own.get(mediaUrl) ?? (kept && kept.until > clock.now() ? kept.address : undefined);
  }

  async function ask(mediaUrl: string): Promise<string | undefined> {
    const mediaId = mediaIdOf(mediaUrl);
    if (mediaId === undefined) return undefined;
    let began = 0;
    const answered = await retryCall(
      () => {
        began = clock.now();
        return api('readMedia', { params: { id: conversationId, mediaId } });
      },
      { ...patience, signal: stopping.signal },
    );
    if (!answered.ok || stopping.signal.aborted) return undefined;
    const address = answered.answer.url;
    // Counted from the request, because the user's clock may be wrong.
    addresses.set(mediaUrl, { address, until: began + READ_SECONDS * 1_000 - SPARE_MS });
    return address;
  }

  function forgetOwn(mediaUrl: string): void {
    const preview = own.get(mediaUrl);
    if (preview !== undefined) URL.revokeObjectURL(preview);
    own.delete(mediaUrl);
  }

  return {
    known,
    onLine: patience.onLine,
    async get(mediaUrl) {
      const at = known(mediaUrl);
      if (at !== undefined) return at;
      const asking = asked.get(mediaUrl) ?? ask(mediaUrl).finally(() => asked.delete(mediaUrl));
      asked.set(mediaUrl, asking);
      return asking;
    },
    failed(mediaUrl, address) {
      if (own.get(mediaUrl) === address) forgetOwn(mediaUrl);
      if (addresses.get(mediaUrl)?.address === address) addresses.delete(mediaUrl);
    },
    keepOwn(mediaUrl, preview) {
      own.set(mediaUrl, preview);
      const oldest = own.keys().next();
      if (own.size > OWN_KEPT && !oldest.done) forgetOwn(oldest.value);
    },
    stop() {
      stopping.abort();
      for (const mediaUrl of [...own.keys()]) forgetOwn(mediaUrl);
      addresses.clear();
    },
  };
}
