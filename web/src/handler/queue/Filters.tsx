import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useNavigate } from 'react-router';
import styles from './Filters.module.css';
import { type QueueFilter, searchFor } from './queueFilter.ts';

type FiltersProps = { show: QueueFilter; scope: string; unread: number; waiting: number; snoozed: number };

/** The filter is part of the address. An open conversation stays open. */
export function Filters({ show, scope, unread, waiting, snoozed }: FiltersProps) {
  const navigate = useNavigate();
  const pills: { show: QueueFilter; name: string; count?: number }[] = [
    { show: 'all', name: consoleTexts.filterAll },
    { show: 'unread', name: consoleTexts.filterUnread, count: unread },
    { show: 'waiting', name: consoleTexts.filterWaiting, count: waiting },
    // Hidden without snoozed chats: only four filters fit on a phone.
    ...(snoozed > 0 || show === 'snoozed'
      ? [{ show: 'snoozed' as const, name: consoleTexts.filterSnoozed, count: snoozed }]
      : []),
    { show: 'closed', name: consoleTexts.filterClosed },
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; these act at once.
    <div className={styles.filters} role="group" aria-label={consoleTexts.filters}>
      {pills.map((pill) => (
        <button
          key={pill.show}
          type="button"
          className="filter"
          aria-pressed={pill.show === show}
          onClick={() => void navigate({ search: searchFor(pill.show, scope) })}
        >
          {pill.name}
          {pill.count ? <small> {pill.count}</small> : null}
        </button>
      ))}
    </div>
  );
}
