import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import type { MouseEvent } from 'react';
import bubble from '../../chat/list/Bubble.module.css';
import type { Entry } from '../../chat/model/entries.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { openDraft } from '../../chat/outbox/draft.ts';
import { Icon } from '../../ui/Icon.tsx';
import { useSignedIn } from '../context.ts';
import { useCommandRegistry } from '../keys/commands.ts';

type ReturnedReplyProps = { entry: Entry; conversation: LiveConversation };

/** Below a reply that was not stored, because a colleague answered first. */
export function ReturnedReply({ entry, conversation }: ReturnedReplyProps) {
  const { unsent } = useSignedIn();
  const commands = useCommandRegistry();
  const { key: id, text, at, media } = entry;

  function sendAnyway({ currentTarget }: MouseEvent): void {
    // The button disappears.
    currentTarget.closest<HTMLElement>('[role="log"]')?.focus({ preventScroll: true });
    conversation.retry(id);
  }

  /** The text is a draft before its bubble goes. */
  function edit(): void {
    const conversationId = conversation.state().id;
    openDraft(unsent, conversationId).putBack({ id, conversationId, text, at, state: 'returned' });
    conversation.drop(id);
    commands.run('reply');
  }

  return (
    <p className={`${bubble.meta} ${bubble.failed}`} data-tone="lamp" role="alert">
      <Icon name="alert" size={15} />
      <span>{consoleTexts.answeredFirst}</span>
      {/* On a phone they wrap together. */}
      <span>
        <button type="button" onClick={sendAnyway}>
          {consoleTexts.sendAnyway}
        </button>
        {media ? (
          <button type="button" onClick={() => conversation.drop(id)}>
            {texts.dismiss}
          </button>
        ) : (
          <button type="button" onClick={edit}>
            {consoleTexts.edit}
          </button>
        )}
      </span>
    </p>
  );
}
