import type { StaffConversation } from '@settee/protocol/model/conversation';
import type { ConversationDetails } from '@settee/protocol/model/details';
import { blockTexts } from '@settee/protocol/texts/blockTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import type { ReactNode } from 'react';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { blockedUntil } from '../../staff/block/BlockFields.tsx';
import { Collapsible } from '../../staff/Collapsible.tsx';
import { Pill } from '../../staff/Pill.tsx';
import { useMediaQuery } from '../../ui/useMediaQuery.ts';
import { useAdminQuery } from '../useAdminQuery.ts';
import { DeskName } from '../useDesks.tsx';
import { statusText } from './statusText.ts';
import styles from './ThreadDetails.module.css';

/** Facts that an administrator needs to decide. */
export function ThreadDetails({ conversation, head }: { conversation: StaffConversation; head: number }) {
  const { id, status, handlerAlias, createdAt } = conversation;
  const { data } = useAdminQuery('conversations', 'readDetails', { params: { id } });
  const { text, tone } = statusText[status];
  // On a phone the messages need the space.
  const small = useMediaQuery('(max-width: 767px)');
  // After a status change the loaded block is outdated.
  const block = status === 'blocked' ? data?.details.block : null;
  const details = (
    <dl className={styles.details} aria-label={texts.details}>
      <Detail name={texts.status}>
        <Pill tone={tone}>{text}</Pill>
      </Detail>
      <Detail name={texts.desk}>
        <DeskName alias={handlerAlias} />
      </Detail>
      <Detail name={texts.invite}>{data && (data.details.inviteLabel || texts.noLabel)}</Detail>
      <Detail name={texts.started}>{dateAndTime(createdAt, Date.now())}</Detail>
      <Detail name={texts.devices}>{data?.details.devices}</Detail>
      <Detail name={texts.messages}>{head}</Detail>
      {block && <BlockDetails block={block} />}
    </dl>
  );
  if (!small) return details;
  return (
    <div className={styles.fold}>
      <Collapsible
        summary={
          <>
            {texts.details} <Pill tone={tone}>{text}</Pill>
          </>
        }
      >
        {details}
      </Collapsible>
    </div>
  );
}

function BlockDetails({ block }: { block: NonNullable<ConversationDetails['block']> }) {
  return (
    <>
      <Detail name={blockTexts.blockReason}>{block.reason || blockTexts.noReason}</Detail>
      <Detail name={blockTexts.blocked}>{blockedUntil(block)}</Detail>
    </>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{children ?? '…'}</bdi>
      </dd>
    </div>
  );
}
