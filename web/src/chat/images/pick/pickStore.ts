import { texts } from '@settee/protocol/texts/texts';
import { createStore } from '../../../browser/createStore.ts';
import { loadImages } from '../load.ts';
import type { Uploads } from '../upload/upload.ts';
import type { ImageFile } from './imageFile.ts';

type Picked = {
  /** What can be sent, in the order in which it was picked. */
  images: readonly ImageFile[];
  /** How many more are being looked at. */
  judging: number;
  /** What was wrong with one that does not wait. */
  problem: string | null;
};

/** Images that wait in a composer to be sent: read once, when they are picked. */
export type PickStore = {
  state(): Picked;
  subscribe(listener: () => void): () => void;
  add(picked: readonly File[]): void;
  remove(image: ImageFile): void;
  dismiss(): void;
  /** Whether all that are being looked at now can be sent; undefined with none. */
  whenChecked(): Promise<boolean> | undefined;
  /** Hands all of them on in one step: none can be sent twice, or taken away when it is too late. */
  handTo(open: () => Promise<Pick<Uploads, 'addRead'>>): Promise<void>;
};

/** A press that comes before the script waits for it. */
const readByScript = async (file: File) => (await loadImages()).readImageFile(file);

export function startPicks(read: (file: File) => Promise<ImageFile | string> = readByScript): PickStore {
  const store = createStore<Picked>({ images: [], judging: 0, problem: null });
  let last = Promise.resolve();

  async function judge(file: File): Promise<void> {
    const image = await read(file).catch(() => texts.networkError);
    const { images, judging, problem } = store.get();
    const found = typeof image === 'string' ? { problem: problem ?? image } : { images: [...images, image] };
    store.update({ ...found, judging: judging - 1 });
  }

  async function untilJudged(): Promise<boolean> {
    while (store.get().judging > 0) await last;
    return store.get().problem === null;
  }

  return {
    state: store.get,
    subscribe: store.subscribe,
    add(picked) {
      store.update({ problem: null, judging: store.get().judging + picked.length });
      // One after the other: each is decoded in full, and twenty photos at once would be a gigabyte.
      for (const file of picked) last = last.then(() => judge(file));
    },
    remove: (image) => store.update({ images: store.get().images.filter((other) => other !== image) }),
    dismiss() {
      // While some are still looked at, it tells who waits for them that one was refused.
      if (store.get().judging === 0) store.update({ problem: null });
    },
    whenChecked: () => (store.get().judging > 0 ? untilJudged() : undefined),
    async handTo(open) {
      if (store.get().images.length === 0) return;
      const { addRead } = await open();
      const { images } = store.get();
      store.update({ images: [], problem: null });
      for (const image of images) addRead(image);
    },
  };
}
