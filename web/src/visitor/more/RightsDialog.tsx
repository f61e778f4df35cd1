import type { VisitorApi } from '../connection.ts';
import { DevicesDialog } from './DevicesDialog.tsx';
import { DownloadDialog } from './DownloadDialog.tsx';
import { EraseDialog } from './EraseDialog.tsx';

type RightsDialogProps = {
  what: 'download' | 'erase' | 'devices';
  conversationId: string;
  /** The public profile's name. */
  name: string;
  api: VisitorApi;
  /** When another device last joined. */
  joinedAt: number | null;
  onErased: (words: { title: string; reason: string }) => void;
  onClose: () => void;
};

/** The dialogs for devices, download and deletion. */
export function RightsDialog({ what, name, joinedAt, onErased, ...rest }: RightsDialogProps) {
  if (what === 'devices') return <DevicesDialog {...rest} joinedAt={joinedAt} />;
  if (what === 'download') return <DownloadDialog {...rest} profileName={name} />;
  return <EraseDialog {...rest} onErased={onErased} />;
}
