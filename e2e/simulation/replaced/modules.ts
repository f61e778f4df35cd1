// The modules of a page that wait for its browser.
import { startImages } from '../../../web/src/chat/images/images.ts';
import type { ImageFile } from '../../../web/src/chat/images/pick/imageFile.ts';
import type * as outbox from '../../../web/src/chat/outbox/indexedDbOutbox.ts';
import type * as browserLive from '../../../web/src/net/browserLive.ts';
import { startLive } from '../../../web/src/net/live.ts';
import { scheduler, virtualClock } from '../time.ts';
import { currentBrowser, type Rows } from './browser.ts';

/** The socket of the page that is just starting. */
export const startBrowserLive: typeof browserLive.startBrowserLive = (frames, token, options) => {
  const { openSocket, onDoubt } = currentBrowser();
  return startLive({
    frames,
    manages: options?.manages ?? false,
    openSocket,
    clock: virtualClock,
    random: Math.random,
    token,
    onDoubt,
  });
};

/** The outbox in the browser of the page that is just starting. */
export const indexedDbOutbox: typeof outbox.indexedDbOutbox = (whose) => currentBrowser().outbox(whose);

/** Databases with one object store, in the browser of the page that opens them. A request is a promise. */
export function lazyDatabase(name: string): () => Promise<{ transaction(): { objectStore(): Rows } }> {
  const rows = currentBrowser().database(name);
  const opened = Promise.resolve({ transaction: () => ({ objectStore: () => rows }) });
  return () => opened;
}

export function requestResult<T>(request: Promise<T>): Promise<T> {
  return request;
}

export async function transactionDone(): Promise<void> {}

const READ_MS = 5;

/** The image script without its components. Files are small objects: the real ones are read in the thread pool. */
const script = {
  startImages,
  readImageFile: (file: File): Promise<ImageFile> =>
    new Promise((resolve) => {
      scheduler.after(READ_MS, () => resolve({ file, type: 'image/png', width: 4, height: 3 }));
    }),
};

export async function loadImages(): Promise<typeof script> {
  return script;
}
