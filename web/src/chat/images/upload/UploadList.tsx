import { useSyncExternalStore } from 'react';
import { UploadBubble } from './UploadBubble.tsx';
import type { Upload, Uploads } from './upload.ts';

type UploadListProps = {
  uploads: readonly Upload[];
  /** What stands above them is this side's too. */
  behindOwn: boolean;
  of: Pick<Uploads, 'cancel' | 'retry' | 'progress' | 'subscribeProgress'>;
};

/** Below all messages: what is on its way to become one. */
export function UploadList({ uploads, behindOwn, of }: UploadListProps) {
  const progress = useSyncExternalStore(of.subscribeProgress, of.progress);
  return uploads.map((upload, i) => (
    <UploadBubble
      key={upload.id}
      upload={upload}
      done={progress.get(upload.id) ?? 0}
      opensGroup={i === 0 && !behindOwn}
      closesGroup={i === uploads.length - 1}
      cancel={of.cancel}
      retry={of.retry}
    />
  ));
}
