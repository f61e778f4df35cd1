import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText, formatNumber } from '@settee/protocol/texts/fillText';
import { Chip } from '../../staff/Chip.tsx';
import { CheckItem, MenuButton } from '../../staff/menu/MenuButton.tsx';
import { fillNodes } from '../../ui/fillNodes.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { iconShapes, Shape } from '../../ui/Icon.tsx';
import { useConsole, useQueueCounts } from '../context.ts';
import { useCommandRegistry, useCommands } from '../keys/commands.ts';
import { shapes } from '../shapes.ts';
import styles from './DeskMenu.module.css';
import { shownQueues } from './deskQueues.ts';
import { type OwnDesk, useDesk, useScope, useShowScope } from './ownDesks.ts';
import { waitingSummary } from './queueFilter.ts';

/** Which desk the list shows, or all. It is part of the address. */
export function DeskMenu({ desks }: { desks: readonly OwnDesk[] }) {
  const showScope = useShowScope();
  const [shown = ''] = useScope().desks;
  const count = desks.length;
  const name = desks.find(({ alias }) => alias === shown)?.name;
  const alias = name ?? fillText(consoleTexts.allDesksCount, { count });
  const choices = [{ alias: '', name: consoleTexts.allDesks, off: false }, ...desks];
  const show = (alias: string) => showScope(alias && `desk=${alias}`);

  useCommands(
    choices
      .filter(({ alias }) => alias !== shown)
      .map((desk) => ({
        id: `desk ${desk.alias}`,
        name: desk.alias === '' ? desk.name : fillText(consoleTexts.onlyDesk, { desk: desk.name }),
        run: () => show(desk.alias),
      })),
  );

  return (
    <MenuButton
      label={fillText(consoleTexts.queueHandler, { alias })}
      className={styles.button}
      fromStart
      face={
        <>
          <span className="cut">{fillNodes(consoleTexts.queueHandler, { alias: <bdi>{alias}</bdi> })}</span>
          <Shape paths={shapes.chevron} size={16} />
        </>
      }
    >
      {(choose) =>
        choices.map((desk) => (
          <CheckItem
            key={desk.alias}
            role="menuitemradio"
            checked={desk.alias === shown}
            onChoose={() => choose(() => show(desk.alias))}
          >
            <DeskChoice {...desk} />
          </CheckItem>
        ))
      }
    </MenuButton>
  );
}

/** The same for several profiles: it opens the panel of the switcher. */
export function ScopeButton() {
  const { desks, profile, search } = useScope();
  const registry = useCommandRegistry();
  const { desks: held } = useConsole();
  const desk = useDesk(search.startsWith('desk=') ? desks[0] : undefined);
  const names = [profile?.displayName, desk?.name].filter((name) => name !== undefined);
  const alias = names.join(' · ') || fillText(consoleTexts.allDesksCount, { count: held.length });
  return (
    <button
      type="button"
      className={styles.button}
      aria-haspopup="dialog"
      onClick={() => registry.run('switcher')}
    >
      <span className="cut">{fillText(consoleTexts.queueHandler, { alias })}</span>
      <Shape paths={shapes.chevron} size={16} />
    </button>
  );
}

/** A desk with its longest wait and its number of chats. */
function DeskChoice({ alias, name, off }: Pick<OwnDesk, 'alias' | 'name' | 'off'>) {
  return (
    <span className={styles.desk}>
      <span className={styles.name}>
        <bdi>{name}</bdi>
        {off && <small>{consoleTexts.offDuty}</small>}
      </span>
      <DeskFigures desks={alias === '' ? [] : [alias]} />
    </span>
  );
}

/** The longest wait and the number of chats of these desks, or of all without any. */
export function DeskFigures({ desks }: { desks: readonly string[] }) {
  const { queues } = useConsole();
  const shown = shownQueues(queues, desks);
  const counts = useQueueCounts(shown);
  const waiting = waitingSummary(counts, Date.now());
  const listed = counts.open - counts.snoozed;
  return (
    <>
      {waiting && (
        <Chip tone={waiting.long ? 'danger' : 'lamp'} icon={iconShapes.clock}>
          <Hidden>{consoleTexts.waiting} </Hidden>
          {waiting.longest}
        </Chip>
      )}
      {shown.every(({ queue }) => queue !== null) && (
        <>
          <span aria-hidden="true">{formatNumber(listed)}</span>
          <Hidden>{fillText(consoleTexts.openChats, { count: listed })}</Hidden>
        </>
      )}
    </>
  );
}
