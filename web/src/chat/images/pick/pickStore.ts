import { texts } from '@settee/protocol/texts/texts';
import { useState, useSyncExternalStore } from 'react';
import { createStore } from '../../../browser/createStore.ts';
import type { Uploads } from '../upload/upload.ts';
import { loadImages } from '../useImageScript.ts';
import type { ImageFile } from './imageFile.ts';

type Picked = {
  /** Images ready to send, in pick order. */
  images: readonly ImageFile[];
  checking: number;
  problem: string | null;
};

/** Images in a composer that wait to be sent. */
export type PickStore = {
  state(): Picked;
  subscribe(listener: () => void): () => void;
  add(picked: readonly File[]): void;
  remove(image: ImageFile): void;
  dismiss(): void;
  /** Resolves to whether all files being checked are valid. Undefined if there are none. */
  whenChecked(): Promise<boolean> | undefined;
  /** Moves all images to the uploads at once, so that none is sent twice or removed too late. */
  handTo(open: () => Promise<Pick<Uploads, 'addRead'>>): Promise<void>;
};

/** Waits for the script if it is not loaded. */
const readByScript = async (file: File) => (await loadImages()).readImageFile(file);

export function startPicks(read: (file: File) => Promise<ImageFile | string> = readByScript): PickStore {
  const store = createStore<Picked>({ images: [], checking: 0, problem: null });
  let last = Promise.resolve();

  async function check(file: File): Promise<void> {
    const image = await read(file).catch(() => texts.networkError);
    const { images, checking, problem } = store.get();
    const found = typeof image === 'string' ? { problem: problem ?? image } : { images: [...images, image] };
    store.update({ ...found, checking: checking - 1 });
  }

  async function untilChecked(): Promise<boolean> {
    while (store.get().checking > 0) await last;
    return store.get().problem === null;
  }

  function dismiss(): void {
    // While files are being checked, the error tells the sender that one was refused.
    if (store.get().checking === 0) store.update({ problem: null });
  }

  return {
    state: store.get,
    subscribe: store.subscribe,
    add(picked) {
      dismiss();
      store.update({ checking: store.get().checking + picked.length });
      // One at a time: decoding twenty photos at once would take a gigabyte.
      for (const file of picked) last = last.then(() => check(file));
    },
    remove: (image) => store.update({ images: store.get().images.filter((other) => other !== image) }),
    dismiss,
    whenChecked: () => (store.get().checking > 0 ? untilChecked() : undefined),
    async handTo(open) {
      if (store.get().images.length === 0) return;
      const { addRead } = await open();
      const { images } = store.get();
      store.update({ images: [], problem: null });
      for (const image of images) addRead(image);
    },
  };
}

export type Picks = ReturnType<PickStore['state']> & Omit<PickStore, 'state' | 'subscribe'>;

export function usePicks(start: () => PickStore = startPicks): Picks {
  const [store] = useState(start);
  return { ...store, ...useSyncExternalStore(store.subscribe, store.state) };
}

/** Whether there is, or soon will be, an image to send. */
export const hasPicks = ({ images, checking }: Pick<Picks, 'images' | 'checking'>): boolean =>
  images.length + checking > 0;
