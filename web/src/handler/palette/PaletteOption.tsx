import { consoleTexts } from '@settee/protocol/consoleTexts';
import { initials } from '@settee/protocol/initials';
import { dayLabel, timeOfDay } from '../../chat/times.ts';
import { snippet } from '../../staff/search/snippet.ts';
import { tintOf } from '../../staff/tint.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Kbd } from '../keys/Kbd.tsx';
import type { PaletteItem } from './items.ts';
import styles from './Palette.module.css';

type PaletteOptionProps = {
  id: string;
  item: PaletteItem;
  query: string;
  chosen: boolean;
  onPoint: () => void;
  onPick: () => void;
};

export function PaletteOption({ id, item, query, chosen, onPoint, onPick }: PaletteOptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field above has the focus, and names the chosen one
    <div
      id={id}
      className={styles.option}
      role="option"
      aria-selected={chosen}
      onPointerMove={chosen ? undefined : onPoint}
      // The field keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <Content item={item} query={query} />
    </div>
  );
}

function Content({ item, query }: { item: PaletteItem; query: string }) {
  switch (item.kind) {
    case 'action':
      return (
        <>
          <span className={styles.name}>{item.command.name}</span>
          {item.command.key !== undefined && <Kbd keys={[item.command.key]} />}
        </>
      );
    case 'chat':
      return (
        <>
          <Avatar letters={initials(item.name)} size={28} tint={tintOf(item.visitorId)} />
          <span className={styles.name}>
            <bdi>{item.name}</bdi>
          </span>
          {item.label !== '' && (
            <span className={styles.aside}>
              <bdi>{item.label}</bdi>
            </span>
          )}
          {item.status !== 'open' && (
            <span className={styles.mark}>
              {item.status === 'closed' ? consoleTexts.closedMark : consoleTexts.blockedMark}
            </span>
          )}
        </>
      );
    case 'message': {
      const { sender, text, createdAt } = item.found;
      return (
        <span className={styles.found}>
          <span className={styles.line}>
            <b className={styles.name}>
              <bdi>{item.name}</bdi>
            </b>
            <time className={styles.aside} dateTime={new Date(createdAt).toISOString()}>
              {dayLabel(createdAt, Date.now())}, {timeOfDay(createdAt)}
            </time>
          </span>
          <span className={styles.snippet} dir="auto">
            {sender === 'owner' && `${consoleTexts.previewYou} `}
            {snippet(text, query).map((part, index) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name but their place
              part.hit ? <mark key={index}>{part.text}</mark> : part.text,
            )}
          </span>
        </span>
      );
    }
    case 'reply':
      return (
        <>
          <code className={styles.shortcut}>/{item.reply.shortcut}</code>
          <span className={styles.aside} dir="auto">
            {item.reply.text}
          </span>
        </>
      );
  }
}
