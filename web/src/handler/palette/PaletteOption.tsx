import { initials } from '@settee/protocol/model/initials';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { imageShape } from '../../chat/images/pick/imageShape.ts';
import { ProfilePicture } from '../../staff/ProfilePicture.tsx';
import { Marked, markedName, snippet } from '../../staff/search/snippet.tsx';
import { staffShapes } from '../../staff/shapes.ts';
import { tintOf } from '../../staff/tint.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { iconShapes, Shape } from '../../ui/Icon.tsx';
import { dayAndTime } from '../dayAndTime.ts';
import { Kbd } from '../keys/Kbd.tsx';
import { useDesk } from '../queue/ownDesks.ts';
import { shapes } from '../shapes.ts';
import type { PaletteItem } from './items.ts';
import styles from './Palette.module.css';

/** Other actions have an arrow. */
const actionShapes: Readonly<Record<string, readonly string[]>> = {
  reply: ['M9 6.5 4.5 11 9 15.5', 'M5 11h9.500a5 5 0 0 1 5 5v1.500'],
  note: shapes.note,
  sendImage: imageShape,
  close: iconShapes.check,
  sendAndClose: iconShapes.send,
  block: staffShapes.ban,
  next: iconShapes.down,
  previous: iconShapes.send,
  unsnooze: shapes.snooze,
  savedReplies: shapes.bolt,
  insertReply: shapes.bolt,
  markUnread: shapes.unread,
  transfer: shapes.handOver,
  details: shapes.panel,
  shortcuts: shapes.keys,
  signOut: shapes.out,
  switcher: shapes.grid,
  snooze: shapes.snooze,
  select: shapes.checks,
  back: shapes.inbox,
};

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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
    <div
      id={id}
      className={styles.option}
      role="option"
      aria-selected={chosen}
      onPointerMove={chosen ? undefined : onPoint}
      // Keeps the focus in the field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <Content item={item} query={query} />
    </div>
  );
}

function DeskMark({ alias }: { alias: string | undefined }) {
  const desk = useDesk(alias);
  if (!desk) return null;
  const { name, profile } = desk;
  return (
    <span className={styles.desk}>
      {profile && <ProfilePicture profile={profile} size={20} />}
      {profile && profile.displayName !== name && <Hidden>{profile.displayName}, </Hidden>}
      <bdi className="cut">{name}</bdi>
    </span>
  );
}

function Content({ item, query }: { item: PaletteItem; query: string }) {
  switch (item.kind) {
    case 'action':
      return (
        <>
          <span className={styles.icon}>
            <Shape paths={actionShapes[item.command.id] ?? shapes.right} size={18} />
          </span>
          <span className={styles.name}>
            <Marked parts={markedName(item.command.name, query)} />
          </span>
          {item.command.key !== undefined && <Kbd keys={[item.command.key]} />}
        </>
      );
    case 'chat':
      return (
        <>
          <Avatar letters={initials(item.name)} size={28} tint={tintOf(item.visitorId)} />
          <span className={styles.name}>
            <bdi>
              <Marked parts={markedName(item.name, query)} />
            </bdi>
          </span>
          {item.label !== '' && (
            <span className={styles.label}>
              <Shape paths={staffShapes.link} size={14} />
              <bdi>
                <Marked parts={markedName(item.label, query)} />
              </bdi>
            </span>
          )}
          <DeskMark alias={item.alias} />
          {item.status !== 'open' && (
            <span className={styles.mark}>
              {item.status === 'closed' ? consoleTexts.closedMark : consoleTexts.blockedMark}
            </span>
          )}
        </>
      );
    case 'message': {
      const { author, text, createdAt } = item.found;
      return (
        <>
          <span className={styles.icon}>
            <Shape paths={shapes.chat} size={18} />
          </span>
          <span className={styles.found}>
            <span className={styles.line}>
              <b className={styles.name}>
                <bdi>{item.name}</bdi>
              </b>
              <DeskMark alias={item.found.handlerAlias} />
              <time className={styles.aside} dateTime={new Date(createdAt).toISOString()}>
                {dayAndTime(createdAt, Date.now())}
              </time>
            </span>
            <span className={styles.snippet} dir="auto">
              {author !== null && `${fillText(consoleTexts.authorMark, { name: author })} `}
              <Marked parts={snippet(text, query)} />
            </span>
          </span>
        </>
      );
    }
    case 'more':
      return (
        <span className={styles.more}>{fillText(consoleTexts.paletteShowAll, { count: item.count })}</span>
      );
    case 'reply':
      return (
        <>
          <span className={styles.icon}>
            <Shape paths={shapes.bolt} size={18} />
          </span>
          <code className={styles.shortcut} dir="ltr">
            /{item.reply.shortcut}
          </code>
          <span className={styles.aside} dir="auto">
            {item.reply.text}
          </span>
        </>
      );
  }
}
