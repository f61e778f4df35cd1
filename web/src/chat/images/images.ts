import { mediaCalls } from '@settee/protocol/calls/mediaCalls';
import { createApi, type TokenHolder } from '../../net/api.ts';
import { systemClock } from '../../net/clock.ts';
import { putFile } from '../../net/fileTransfer.ts';
import { randomId } from '../../net/randomId.ts';
import type { LiveConversation } from '../model/liveConversation.ts';
import { type MediaAddresses, startMediaAddresses } from './show/mediaAddress.ts';
import { indexedDbUploads } from './upload/indexedDbUploads.ts';
import type { OnLine } from './upload/retryCall.ts';
import { sweepUploads } from './upload/sweepUploads.ts';
import type { Uploads } from './upload/upload.ts';
import { startUploads } from './upload/uploads.ts';

/** The uploads and image addresses of one conversation. */
export type Images = { uploads: Uploads; addresses: MediaAddresses; stop(): void };

type Parts = {
  conversationId: string;
  /** The owner of the stored uploads, as in the outbox. */
  whose: string;
  tokens: TokenHolder;
  conversation: Pick<LiveConversation, 'sendImage' | 'view'>;
  loaded?: () => Promise<void>;
};

const onLine: OnLine = (listener) => {
  addEventListener('online', listener);
  return () => removeEventListener('online', listener);
};

const isOffline = () => !navigator.onLine;

let swept = false;

/** Once per page, after its own uploads were resumed. */
function sweep(): void {
  if (swept) return;
  swept = true;
  sweepUploads(Date.now()).catch((error: unknown) => console.error('uploads:', error));
}

export function startImages({ conversationId, whose, tokens, conversation, loaded }: Parts): Images {
  const api = createApi(mediaCalls, { tokens });
  const shared = { conversationId, api, clock: systemClock, random: Math.random, onLine, isOffline };
  const addresses = startMediaAddresses(shared);
  const uploads = startUploads({
    ...shared,
    put: putFile,
    store: indexedDbUploads(whose),
    createId: randomId,
    sendImage: conversation.sendImage,
    view: conversation.view,
    ...(loaded && { loaded }),
    onSent: addresses.keepOwn,
  });
  void uploads.takenOver.then(sweep);
  return {
    uploads,
    addresses,
    stop() {
      uploads.stop();
      addresses.stop();
    },
  };
}
