import { texts } from '@settee/protocol/texts';
import { useState } from 'react';
import { loadImages } from './load.ts';

/** Files that wait in a composer to be sent. */
export type Picks = {
  files: readonly File[];
  /** What was wrong with one that does not wait. */
  problem: string | null;
  add: (picked: readonly File[]) => void;
  remove: (file: File) => void;
  dismiss: () => void;
  /** Hands them on in their order. One that cannot be handed on stays, and those behind it. */
  send: (take: (file: File) => Promise<string | undefined>) => Promise<void>;
};

export function usePicks(atFirst: readonly File[] = []): Picks {
  const [files, setFiles] = useState(atFirst);
  const [problem, setProblem] = useState<string | null>(null);
  const remove = (file: File) => setFiles((before) => before.filter((other) => other !== file));
  return {
    files,
    problem,
    add(picked) {
      setProblem(null);
      // A press that comes before the script waits for it.
      loadImages()
        .then(({ siftPicked }) => siftPicked(picked))
        .then(
          (sifted) => {
            setFiles((before) => [...before, ...sifted.files]);
            setProblem(sifted.problem);
          },
          () => setProblem(texts.networkError),
        );
    },
    remove,
    dismiss: () => setProblem(null),
    async send(take) {
      setProblem(null);
      for (const file of files) {
        const wrong = await take(file);
        remove(file);
        if (wrong) setProblem(wrong);
      }
    },
  };
}
