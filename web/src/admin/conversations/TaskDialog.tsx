import { BlockDialog } from './BlockDialog.tsx';
import { EraseDialog } from './EraseDialog.tsx';
import { ReassignDialog } from './ReassignDialog.tsx';
import { UnblockDialog } from './UnblockDialog.tsx';

/** What is asked about before it is done to one conversation. */
export type Task = 'reassign' | 'block' | 'unblock' | 'erase';

type TaskDialogProps = { task: Task; id: string; name: string; onClose: () => void; onErased?: () => void };

export function TaskDialog({ task, id, name, onClose, onErased }: TaskDialogProps) {
  switch (task) {
    case 'reassign':
      return <ReassignDialog ids={[id]} name={name} onClose={onClose} />;
    case 'block':
      return <BlockDialog id={id} name={name} onClose={onClose} />;
    case 'unblock':
      return <UnblockDialog id={id} name={name} onClose={onClose} />;
    case 'erase':
      return <EraseDialog id={id} onClose={onClose} {...(onErased && { onErased })} />;
  }
}
