import type { ConversationDetails } from '@settee/protocol/model/details';
import { blockTexts } from '@settee/protocol/texts/blockTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { formatNumber } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { DeviceList } from '../../chat/DeviceList.tsx';
import { blockedUntil } from '../../staff/block/BlockFields.tsx';
import { Collapsible } from '../../staff/Collapsible.tsx';
import { formatDuration } from '../../staff/formatDuration.ts';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { Button } from '../../ui/Button.tsx';
import { useSignedIn } from '../context.ts';
import { useCommandRegistry } from '../keys/commands.ts';
import { Kbd } from '../keys/Kbd.tsx';
import { keyGroups } from '../keys/keyList.ts';
import { ReplyLine } from '../replies/ReplyLine.tsx';
import { useChatReplies } from '../replies/useSavedReplies.ts';
import styles from './DetailsContent.module.css';

type DetailsContentProps = DetailsParts & {
  /** What the desk is called, for a person with several. */
  desk: string | undefined;
  /** A saved reply was inserted: a sheet over the composer may close. */
  onInserted?: (() => void) | undefined;
};

export function DetailsContent({ onInserted, desk, ...of }: DetailsContentProps) {
  const query = useDetails(of);
  return (
    <div className={styles.content}>
      <About query={query} desk={desk} head={of.head} />
      <Devices query={query} id={of.conversationId} />
      <DetailsReplies conversationId={of.conversationId} onInserted={onInserted} />
      <DetailsShortcuts />
    </div>
  );
}

type Row = { name: string; value: (details: ConversationDetails, head: number) => string };

const always: Row[] = [
  { name: consoleTexts.aboutInvite, value: ({ inviteLabel }) => inviteLabel || consoleTexts.noLabel },
  { name: consoleTexts.aboutStarted, value: ({ startedAt }) => dateAndTime(startedAt, Date.now()) },
  // Numbers have no gaps, so the highest is the count. The socket knows it first.
  { name: consoleTexts.aboutMessages, value: ({ messages }, head) => formatNumber(Math.max(messages, head)) },
  { name: consoleTexts.aboutDevices, value: ({ devices }) => formatNumber(devices) },
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

type Details = { query: UseQueryResult<ConversationDetails> };

function About({ query, desk, head }: Details & { desk: string | undefined; head: number }) {
  const { data: details, isError, refetch } = query;
  const rows = [
    ...(desk === undefined ? [] : [{ name: consoleTexts.aboutDesk, value: () => desk }]),
    ...always,
    ...(details?.block ? ofBlock : []),
  ];
  return (
    <section aria-busy={!details && !isError}>
      <h2 className={styles.heading}>{consoleTexts.about}</h2>
      {isError && !details ? (
        <Failed text={consoleTexts.detailsFailed} onTryAgain={refetch} />
      ) : (
        <dl className={styles.about}>
          {rows.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {details ? (
                  <bdi>{value(details, head)}</bdi>
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

/** The visitor's devices, read when the list is opened. */
function Devices({ query: { data: details, refetch }, id }: Details & { id: string }) {
  const { session } = useSignedIn();
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.devices}>
      <Collapsible summary={deviceTexts.devices} onToggle={(event) => setOpen(event.currentTarget.open)}>
        {open && (
          <DeviceList
            version={details?.devices}
            read={async () => (await session.api('readDevices', { params: { id } })).answer?.devices}
            remove={async (deviceId) => {
              const removed = await session.api('removeDevice', { params: { id, deviceId } });
              if (removed.ok) void refetch();
              return removed.ok;
            }}
            mayRemove={() => true}
          />
        )}
      </Collapsible>
    </div>
  );
}

/** The others are available by slash. */
const SHOWN = 3;

type RepliesProps = Pick<DetailsContentProps, 'conversationId' | 'onInserted'>;

/** The first saved replies. A click inserts one into the composer. */
function DetailsReplies({ conversationId, onInserted }: RepliesProps) {
  const { data: replies, isError, refetch } = useChatReplies(conversationId);
  const { screen } = useSignedIn();
  const commands = useCommandRegistry();
  const manage = () => commands.run('savedReplies');

  return (
    <section>
      <div className={styles.top}>
        <h2 className={styles.heading}>{consoleTexts.savedReplies}</h2>
        <button
          type="button"
          className={styles.manage}
          aria-label={consoleTexts.editReplies}
          onClick={manage}
        >
          {consoleTexts.edit}
        </button>
      </div>
      {isError && !replies ? (
        <Failed text={consoleTexts.repliesFailed} onTryAgain={refetch} />
      ) : replies?.length === 0 ? (
        <p className="ink-2">{consoleTexts.noReplies}</p>
      ) : (
        <ul className={styles.replies}>
          {replies?.slice(0, SHOWN).map((reply) => (
            <li key={reply.id}>
              <button
                type="button"
                className={styles.reply}
                onClick={() => {
                  onInserted?.();
                  screen.insertText.emit(reply.text);
                }}
              >
                <ReplyLine reply={reply} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const shortcuts = keyGroups.flatMap(({ lines }) => lines).filter(({ short }) => short);

function DetailsShortcuts() {
  return (
    <section className={styles.shortcuts}>
      <h2 className={styles.heading}>{consoleTexts.shortcuts}</h2>
      <dl className={styles.keys}>
        {shortcuts.map(({ name, keys }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Failed({ text, onTryAgain }: { text: string; onTryAgain: () => unknown }) {
  return (
    <div className={styles.failed} role="alert">
      <p>{text}</p>
      <Button look="outline" onClick={() => void onTryAgain()}>
        {texts.tryAgain}
      </Button>
    </div>
  );
}

/** Minimum time between reads in a burst of messages. */
const READ_EVERY_MS = 1_000;
/** For returning to a chat. */
const FRESH_FOR_MS = 30_000;

type DetailsParts = {
  conversationId: string;
  /** The details change with each message, and with changes that staff see nowhere else. */
  head: number;
  rev: number;
  /** The messages are loaded, so the details may load. */
  ready: boolean;
};

function useDetails({ conversationId, head, rev, ready }: DetailsParts): UseQueryResult<ConversationDetails> {
  const { session } = useSignedIn();
  const version = `${head} ${rev}`;
  const readAt = useRef(version);
  const query = useQuery({
    queryKey: ['details', conversationId],
    enabled: ready,
    staleTime: FRESH_FOR_MS,
    queryFn: async () => {
      readAt.current = version;
      const answer = await readOrThrow(session.api, 'readDetails', { params: { id: conversationId } });
      return answer.details;
    },
  });
  const { dataUpdatedAt, refetch } = query;

  useEffect(() => {
    if (!dataUpdatedAt || version === readAt.current) return;
    const wait = Math.max(0, dataUpdatedAt + READ_EVERY_MS - Date.now());
    const timer = setTimeout(() => void refetch(), wait);
    return () => clearTimeout(timer);
  }, [version, dataUpdatedAt, refetch]);

  return query;
}
