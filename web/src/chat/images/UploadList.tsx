import { UploadBubble } from './UploadBubble.tsx';
import type { Upload, Uploads } from './upload.ts';

type UploadListProps = {
  uploads: readonly Upload[];
  /** What stands above them is this side's too. */
  behindOwn: boolean;
} & Pick<Uploads, 'cancel' | 'retry'>;

/** Below all messages: what is on its way to become one. */
export function UploadList({ uploads, behindOwn, cancel, retry }: UploadListProps) {
  return uploads.map((upload, i) => (
    <UploadBubble
      key={upload.id}
      upload={upload}
      opensGroup={i === 0 && !behindOwn}
      closesGroup={i === uploads.length - 1}
      cancel={cancel}
      retry={retry}
    />
  ));
}
