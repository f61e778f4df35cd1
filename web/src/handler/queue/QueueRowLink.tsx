import type { ClosedRow, QueueRow } from '@settee/protocol/model/conversation';
import { initials } from '@settee/protocol/model/initials';
import { isSnoozed, isUnread } from '@settee/protocol/model/queue';
import type { StaffSettings } from '@settee/protocol/model/staffSettings';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText, formatNumber } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { memo } from 'react';
import { Link } from 'react-router';
import { dayLabel, relativeTime, timeOfDay } from '../../browser/times.ts';
import { Chip } from '../../staff/Chip.tsx';
import { ProfilePicture } from '../../staff/ProfilePicture.tsx';
import { previewText } from '../../staff/previewText.ts';
import { staffShapes } from '../../staff/shapes.ts';
import { tintOf } from '../../staff/tint.ts';
import { waitingOf } from '../../staff/waiting.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Dots } from '../../ui/Dots.tsx';
import { fillNodes } from '../../ui/fillNodes.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { iconShapes } from '../../ui/Icon.tsx';
import { useColleaguesIn, useUnsentText } from '../context.ts';
import type { Colleague } from '../conversation/colleagues.ts';
import type { RowDesk } from './ownDesks.ts';
import styles from './QueueRowLink.module.css';
import { useRowTabIndex } from './useRovingFocus.ts';

type RowProps = RowDesk & {
  row: QueueRow | ClosedRow;
  now: number;
  open: boolean;
  /** The visitor has a page open. Undefined if unknown. */
  present?: boolean | undefined;
  /** Waiting times that count as long. */
  settings?: StaffSettings | undefined;
};

export const QueueRowLink = memo(({ search, ...rest }: RowProps & { search: string }) => {
  const { row, open } = rest;
  return (
    <Link
      className={styles.row}
      tabIndex={useRowTabIndex(row.conversationId)}
      // Keeps the list's filter.
      to={{ pathname: `/conversation/${row.conversationId}`, search }}
      aria-current={open ? 'page' : undefined}
      data-unread={isUnread(row)}
    >
      <RowContent {...rest} />
    </Link>
  );
});

type CheckRowProps = RowProps & { checked: boolean; onCheck: (id: string, checked: boolean) => void };

/** The row while selecting conversations. */
export const QueueRowCheck = memo(({ checked, onCheck, ...rest }: CheckRowProps) => {
  const { row } = rest;
  return (
    <label className={styles.row} data-unread={isUnread(row)} data-checked={checked}>
      <input
        type="checkbox"
        className={styles.check}
        tabIndex={useRowTabIndex(row.conversationId)}
        checked={checked}
        onChange={(event) => onCheck(row.conversationId, event.target.checked)}
      />
      <RowContent {...rest} />
    </label>
  );
});

function RowContent({ row, now, open, present, desk, profile, settings }: RowProps) {
  const name = visitorNameOrLabel(row);
  const ended = 'status' in row;
  const unsent = useUnsentText(row.conversationId);
  // An unsent reply is shown before the last message, except in the open conversation.
  const draft = open ? '' : unsent.text;
  const blocked = ended && row.status === 'blocked';
  // A visitor who has not written yet has no second line.
  const [colleague] = useColleaguesIn(row.conversationId);
  const bare = row.lastMessage === '' && draft === '' && !blocked && !isUnread(row) && !colleague;
  return (
    <>
      <span className={styles.face}>
        <Avatar
          letters={initials(name)}
          size={48}
          tint={tintOf(row.visitorId)}
          dot={!ended && present !== undefined && (present || 'faint')}
        />
        {profile && <ProfilePicture profile={profile} size={20} />}
      </span>
      <span className={styles.words}>
        <span className={styles.line}>
          <b className={styles.name} dir="auto" data-quiet={row.noAccess !== null}>
            {name}
          </b>
          {present && <Hidden> {consoleTexts.visitorHere} </Hidden>}
          <When row={row} now={now} settings={settings} />
        </span>
        {!bare && (
          <span className={styles.line}>
            {blocked && (
              <Chip tone="danger" icon={staffShapes.ban}>
                {consoleTexts.blockedMark}
              </Chip>
            )}
            <Preview row={row} draft={draft} mark={unsent.isDraft ? consoleTexts.draftMark : texts.notSent} />
            {colleague && <RowColleague {...colleague} />}
            {row.unread > 0 ? (
              <span className={styles.unread}>
                <span aria-hidden="true">{formatNumber(row.unread)}</span>
                <Hidden>{fillText(consoleTexts.unread, { count: row.unread })}</Hidden>
              </span>
            ) : (
              row.markedUnread && (
                <span className={styles.marked}>
                  <Hidden>{consoleTexts.markedUnread}</Hidden>
                </span>
              )
            )}
          </span>
        )}
        {desk !== undefined && (
          <span className={styles.desk}>
            {profile && profile.displayName !== desk && <Hidden>{profile.displayName}, </Hidden>}
            <bdi>{desk}</bdi>
          </span>
        )}
      </span>
    </>
  );
}

/** A colleague in this chat, before one opens it too. */
function RowColleague({ staffId, name, doing }: Colleague) {
  const replying = doing === 'replying';
  const text = fillText(replying ? consoleTexts.isReplying : consoleTexts.isViewing, { name });
  return (
    <span className={styles.colleague} title={text}>
      {replying && <Dots />}
      <Avatar letters={initials(name)} size={20} tint={tintOf(staffId)} />
      <Hidden>{text}</Hidden>
    </span>
  );
}

function Preview({ row, draft, mark }: { row: QueueRow; draft: string; mark: string }) {
  return (
    <span className={styles.said} data-draft={draft !== ''}>
      {draft !== '' ? (
        <span className={styles.draft}>{mark} </span>
      ) : (
        row.lastAuthor !== null && (
          <span className={styles.author}>
            {fillNodes(consoleTexts.authorMark, { name: <bdi>{row.lastAuthor}</bdi> })}{' '}
          </span>
        )
      )}
      <span className={styles.preview} dir="auto">
        {draft || previewText(row.lastMessage)}
      </span>
    </span>
  );
}

/** The time of the last message, or a chip instead, so that the row keeps its height. */
function When({ row, now, settings }: Pick<RowProps, 'row' | 'now' | 'settings'>) {
  const { snoozedUntil } = row;
  if (row.noAccess !== null) {
    return (
      <Chip tone="quiet" icon={iconShapes.lock}>
        {consoleTexts.noAccessMark}
      </Chip>
    );
  }
  if (snoozedUntil !== null) {
    return isSnoozed(row, now) ? (
      <Chip tone="quiet" icon={iconShapes.clock}>
        {fillText(consoleTexts.snoozedUntil, { time: untilText(snoozedUntil, now) })}
      </Chip>
    ) : (
      <Chip tone="lamp" icon={iconShapes.retry}>
        {consoleTexts.snoozeOver}
      </Chip>
    );
  }
  const waiting = 'status' in row ? null : waitingOf(row, now, settings);
  if (waiting) {
    return (
      <Chip tone={waiting.long ? 'danger' : 'lamp'} icon={iconShapes.clock}>
        {waiting.text}
      </Chip>
    );
  }
  const at = 'status' in row ? row.closedAt : row.lastMessageAt;
  return (
    <time className={styles.time} dateTime={new Date(at).toISOString()}>
      {relativeTime(at, now)}
    </time>
  );
}

/** 14:30, or the day if it is another one. */
function untilText(at: number, now: number): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return sameDay ? timeOfDay(at) : dayLabel(at, now);
}
