import type { ConversationDetails } from '@settee/protocol/model/details';
import { blockTexts } from '@settee/protocol/texts/blockTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { blockedUntil } from '../../staff/block/BlockFields.tsx';
import { formatDuration } from '../../staff/formatDuration.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './DetailsContent.module.css';
import { useDetails } from './useDetails.ts';

type Row = { name: string; value: (details: ConversationDetails, head: number) => string };

const always: Row[] = [
  { name: consoleTexts.aboutInvite, value: ({ inviteLabel }) => inviteLabel || consoleTexts.noLabel },
  { name: consoleTexts.aboutStarted, value: ({ startedAt }) => dateAndTime(startedAt, Date.now()) },
  // Numbers have no gaps, so the highest is the count. The socket knows it first.
  { name: consoleTexts.aboutMessages, value: ({ messages }, head) => String(Math.max(messages, head)) },
  { name: consoleTexts.aboutDevices, value: ({ devices }) => String(devices) },
  {
    name: consoleTexts.aboutMedian,
    value: ({ medianReplyMs }) =>
      medianReplyMs === null ? consoleTexts.noReplyYet : formatDuration(medianReplyMs),
  },
];

/** Only while blocked. */
const ofBlock: Row[] = [
  { name: blockTexts.blockReason, value: ({ block }) => block?.reason || blockTexts.noReason },
  { name: blockTexts.blocked, value: ({ block }) => (block ? blockedUntil(block) : '') },
];

type AboutProps = { conversationId: string; head: number; ready: boolean };

export function About(props: AboutProps) {
  const { data: details, isError, refetch } = useDetails(props);
  const rows = details?.block ? [...always, ...ofBlock] : always;
  return (
    <section aria-busy={!details && !isError}>
      <h2 className={styles.heading}>{consoleTexts.about}</h2>
      {isError && !details ? (
        <div className={styles.failed} role="alert">
          <p>{consoleTexts.detailsFailed}</p>
          <Button look="outline" onClick={() => void refetch()}>
            {texts.tryAgain}
          </Button>
        </div>
      ) : (
        <dl className={styles.about}>
          {rows.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {details ? (
                  <bdi>{value(details, props.head)}</bdi>
                ) : (
                  <span className={styles.skeleton} aria-hidden="true" />
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
