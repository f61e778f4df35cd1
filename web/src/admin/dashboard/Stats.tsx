import type { Dashboard } from '@settee/protocol/model/dashboard';
import type { StaffSettings } from '@settee/protocol/model/staffSettings';
import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { fillText, formatNumber } from '@settee/protocol/texts/fillText';
import { Fragment, type ReactNode } from 'react';
import { durationParts } from '../../staff/formatDuration.ts';
import { formatShortDuration } from '../../staff/waiting.ts';
import { Hidden } from '../../ui/Hidden.tsx';
import { useLiveAdmin } from '../context.ts';
import { type Change, countChange, replyChange, toneOf } from './figureText.ts';
import styles from './Stats.module.css';
import type { Stat } from './series.ts';

const titles: readonly { stat: Stat; title: string }[] = [
  { stat: 'messages', title: texts.messages },
  { stat: 'conversations', title: texts.newConversations },
  { stat: 'firstReply', title: texts.medianFirstReply },
  { stat: 'waiting', title: texts.waitingNow },
];

type StatsProps = {
  /** Undefined while loading. */
  dashboard: Dashboard | undefined;
  now: number;
  chosen: Stat;
  onChoose: (stat: Stat) => void;
};

/** Four figures. A click shows the figure in the chart. */
export function Stats({ dashboard, now, chosen, onChoose }: StatsProps) {
  const { settings } = useLiveAdmin();
  return (
    <section className={styles.stats} aria-label={texts.figures}>
      {titles.map(({ stat, title }) => (
        <button
          key={stat}
          type="button"
          className={styles.stat}
          aria-pressed={stat === chosen}
          onClick={() => onChoose(stat)}
        >
          <span className={styles.title}>{title}</span>
          {dashboard === undefined ? (
            <span className={styles.blank} data-skeleton />
          ) : (
            <>
              <span className={styles.value}>{figureOf(stat, dashboard)}</span>
              <span className={styles.note}>{noteOf(stat, dashboard, now, settings)}</span>
            </>
          )}
        </button>
      ))}
    </section>
  );
}

function figureOf(stat: Stat, dashboard: Dashboard): ReactNode {
  const { messages, conversations, firstReply, waiting } = dashboard;
  switch (stat) {
    case 'messages':
      return formatNumber(messages.visitors + messages.replies);
    case 'conversations':
      return formatNumber(conversations.count);
    case 'waiting':
      return formatNumber(waiting.count);
    case 'firstReply':
      return firstReply.medianMs === null ? texts.none : <Units ms={firstReply.medianMs} />;
  }
}

/** Units are smaller than numbers. */
function Units({ ms }: { ms: number }) {
  return durationParts(ms, 2).map((parts, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a duration has its units in order
    <span key={n} className={styles.part}>
      {n > 0 && ' '}
      {parts.map(({ type, value }) =>
        type === 'unit' ? <small key={type}>{value}</small> : <Fragment key={type}>{value}</Fragment>,
      )}
    </span>
  ));
}

function noteOf(stat: Stat, dashboard: Dashboard, now: number, settings: StaffSettings): ReactNode {
  const { period, messages, conversations, firstReply, waiting } = dashboard;
  switch (stat) {
    case 'messages':
      return <Changed {...countChange(messages.visitors + messages.replies, messages.before, period)} />;
    case 'conversations':
      return <Changed {...countChange(conversations.count, conversations.before, period)} />;
    case 'firstReply':
      return <Changed {...replyChange(firstReply, period)} />;
    case 'waiting':
      if (waiting.longestSince === null) return texts.nobodyWaits;
      return (
        <b data-tone={toneOf(waiting.longestSince, now, settings)}>
          {fillText(texts.longest, { time: formatShortDuration(Math.max(0, now - waiting.longestSince)) })}
        </b>
      );
  }
}

function Changed({ arrow, percent, spoken, good = false, note }: Change) {
  return (
    <>
      {percent !== undefined && (
        <b data-good={good}>
          <span aria-hidden="true">
            {arrow} {percent}
          </span>
          <Hidden>{spoken}</Hidden>
        </b>
      )}{' '}
      {note}
    </>
  );
}
