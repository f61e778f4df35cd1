import { adminTexts } from '@settee/protocol/adminTexts';
import type { StaffConversation } from '@settee/protocol/conversation';
import { conversationAdminTexts as words } from '@settee/protocol/conversationAdminTexts';
import { fillText } from '@settee/protocol/fillText';
import { rightsTexts } from '@settee/protocol/rightsTexts';
import { type MouseEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { oneAtATime } from '../../staff/oneAtATime.ts';
import { useToasts } from '../../staff/toast/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useAdmin } from '../context.ts';
import { BlockDialog } from './BlockDialog.tsx';
import { DownloadMenu } from './DownloadMenu.tsx';
import { EraseDialog } from './EraseDialog.tsx';
import { ERASED } from './erased.ts';
import { ReassignDialog } from './ReassignDialog.tsx';
import styles from './ThreadActions.module.css';
import { UnblockDialog } from './UnblockDialog.tsx';

type ThreadActionsProps = { conversation: StaffConversation; name: string; head: number };

/** What an administrator can do to a conversation as a whole. */
export function ThreadActions({ conversation: { id, status }, name, head }: ThreadActionsProps) {
  const { session } = useAdmin();
  const toasts = useToasts();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [asking, setAsking] = useState<'reassign' | 'block' | 'unblock' | 'erase' | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [once] = useState(oneAtATime);
  const onClose = () => setAsking(null);

  async function change(next: 'open' | 'closed', done: string): Promise<void> {
    setError(null);
    const answer = await session.api('setStatus', { params: { id }, body: { status: next, from: status } });
    if (answer.ok) toasts.show({ text: fillText(done, { name }) });
    else setError(answer.text || words.actionFailed);
  }

  const close = () => change('closed', words.closedOne);
  const reopen = () => change('open', words.reopenedOne);

  /** A double click wants one thing done, also where the first click has been answered before the second. */
  function toggle({ detail }: MouseEvent): void {
    if (detail < 2) void once(status === 'open' ? close : reopen);
  }

  function leave(): void {
    toasts.show({ text: rightsTexts.manageErased });
    void navigate({ pathname: '/conversations', search }, { state: ERASED });
  }

  return (
    <div className={styles.actions}>
      <Button look="outline" onClick={() => setAsking('reassign')}>
        {adminTexts.reassign}
      </Button>
      {/* One button with two words: it keeps the focus when it has done its work. */}
      {status !== 'blocked' && (
        <Button look="outline" onClick={toggle}>
          {status === 'open' ? words.close : words.reopen}
        </Button>
      )}
      {status === 'blocked' ? (
        <Button look="outline" onClick={() => setAsking('unblock')}>
          {words.unblock}
        </Button>
      ) : (
        <Button look="outline" danger onClick={() => setAsking('block')}>
          {words.block}
        </Button>
      )}
      <DownloadMenu id={id} messages={head} />
      <Button look="outline" danger onClick={() => setAsking('erase')}>
        {rightsTexts.manageErase}
      </Button>
      {error && (
        <Notice tone="danger" icon="alert">
          {error}
        </Notice>
      )}
      {asking === 'reassign' && <ReassignDialog ids={[id]} name={name} onClose={onClose} />}
      {asking === 'block' && <BlockDialog id={id} name={name} onClose={onClose} />}
      {asking === 'unblock' && <UnblockDialog id={id} name={name} onClose={onClose} />}
      {asking === 'erase' && <EraseDialog id={id} onClose={onClose} onErased={leave} />}
    </div>
  );
}
