import type { VisitorApi } from '../connection.ts';
import { DownloadDialog } from './DownloadDialog.tsx';
import { EraseDialog } from './EraseDialog.tsx';

type RightsProps = {
  what: 'download' | 'erase';
  conversationId: string;
  /** The public profile's. */
  name: string;
  api: VisitorApi;
  onErased: (words: { title: string; reason: string }) => void;
  onClose: () => void;
};

/** What is the visitor's to take along or to have erased. */
export function Rights({ what, name, onErased, ...rest }: RightsProps) {
  if (what === 'download') return <DownloadDialog {...rest} profileName={name} />;
  return <EraseDialog {...rest} onErased={onErased} />;
}
