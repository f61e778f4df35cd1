import { texts } from '@settee/protocol/texts/texts';
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
  whenJudged(): Promise<boolean> | undefined;
  /** Hands all of them on in one step: none can be sent twice, or taken away when it is too late. */
  handTo(open: () => Promise<Pick<Uploads, 'addRead'>>): Promise<void>;
};

/** A press that comes before the script waits for it. */
const readByScript = async (file: File) => (await loadImages()).readImageFile(file);

export function startPicks(read: (file: File) => Promise<ImageFile | string> = readByScript): PickStore {
  const listeners = new Set<() => void>();
  let state: Picked = { images: [], judging: 0, problem: null };
  let last = Promise.resolve();

  function become(news: Partial<Picked>): void {
    state = { ...state, ...news };
    for (const listener of [...listeners]) listener();
  }

  async function judge(file: File): Promise<void> {
    const image = await read(file).catch(() => texts.networkError);
    const { images, judging, problem } = state;
    const found = typeof image === 'string' ? { problem: problem ?? image } : { images: [...images, image] };
    become({ ...found, judging: judging - 1 });
  }

  async function untilJudged(): Promise<boolean> {
    while (state.judging > 0) await last;
    return state.problem === null;
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(picked) {
      become({ problem: null, judging: state.judging + picked.length });
      // One after the other: each is decoded in full, and twenty photos at once would be a gigabyte.
      for (const file of picked) last = last.then(() => judge(file));
    },
    remove: (image) => become({ images: state.images.filter((other) => other !== image) }),
    dismiss() {
      // While some are still looked at, it tells who waits for them that one was refused.
      if (state.judging === 0) become({ problem: null });
    },
    whenJudged: () => (state.judging > 0 ? untilJudged() : undefined),
    async handTo(open) {
      if (state.images.length === 0) return;
      const { addRead } = await open();
      const { images } = state;
      become({ images: [], problem: null });
      for (const image of images) addRead(image);
    },
  };
}
