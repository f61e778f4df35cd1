import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText, formatNumber } from '@settee/protocol/texts/fillText';
import { useLocation, useNavigate } from 'react-router';
import { Chip } from '../../staff/Chip.tsx';
import { CheckItem, MenuButton } from '../../staff/menu/MenuButton.tsx';
import { fillNodes } from '../../ui/fillNodes.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { iconShapes, Shape } from '../../ui/Icon.tsx';
import { useConsole, useQueueCounts } from '../context.ts';
import { useCommands } from '../keys/commands.ts';
import { shapes } from '../shapes.ts';
import { useOnePage } from '../useOnePage.ts';
import styles from './DeskMenu.module.css';
import { shownQueues } from './deskQueues.ts';
import type { OwnDesk } from './ownDesks.ts';
import { filterInSearch, searchFor, waitingSummary } from './queueFilter.ts';

type DeskMenuProps = { desks: readonly OwnDesk[]; shown: string };

/** Which desk the list shows, or all. It is part of the address. */
export function DeskMenu({ desks, shown }: DeskMenuProps) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const onePage = useOnePage();
  const count = desks.length;
  const name = desks.find(({ alias }) => alias === shown)?.name;
  const alias = name ?? fillText(consoleTexts.allDesksCount, { count });
  const choices = [{ alias: '', name: consoleTexts.allDesks, off: false }, ...desks];
  // An open chat stays open beside the list.
  const show = (alias: string) =>
    void navigate({
      ...(onePage && { pathname: '/' }),
      search: searchFor(filterInSearch(search), alias),
    });

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

/** A desk with its longest wait and its number of chats. */
function DeskChoice({ alias, name, off }: OwnDesk) {
  const { queues, settings } = useConsole();
  const shown = shownQueues(queues, alias);
  const counts = useQueueCounts(shown);
  const waiting = waitingSummary(counts, Date.now(), settings);
  const listed = counts.open - counts.snoozed;
  return (
    <span className={styles.desk}>
      <span className={styles.name}>
        <bdi>{name}</bdi>
        {off && <small>{consoleTexts.offDuty}</small>}
      </span>
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
    </span>
  );
}
