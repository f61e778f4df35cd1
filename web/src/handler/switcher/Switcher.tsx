import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText, formatNumber } from '@settee/protocol/texts/fillText';
import { type ComponentProps, useMemo, useState } from 'react';
import { useMediaQuery } from '../../ui/useMediaQuery.ts';
import { useConsole, useQueueCounts } from '../context.ts';
import { useCommandRegistry, useCommands } from '../keys/commands.ts';
import { SWITCH_KEY } from '../keys/keyRules.ts';
import { shownQueues } from '../queue/deskQueues.ts';
import { useScope, useShowScope } from '../queue/ownDesks.ts';
import rail from '../Rail.module.css';
import { type Choice, useChoices } from './choices.ts';
import { SwitcherPanel } from './SwitcherPanel.tsx';
import { SwitcherPicture } from './SwitcherPicture.tsx';

/** More profiles share one button in the rail. */
const BESIDE_EACH_OTHER = 4;

/** The panel to choose a profile or desk, and the same by palette. */
export function Switcher() {
  const [open, setOpen] = useState(false);
  const groups = useChoices();
  const shown = useScope().search;
  const show = useShowScope();
  const several = groups.length > 0;
  const others = groups.flat().filter(({ search }) => search !== shown);
  useCommands([
    ...(several
      ? [{ id: 'switcher', name: consoleTexts.switcher, key: SWITCH_KEY, run: () => setOpen(true) }]
      : []),
    ...others.map(({ search, fullName }) => ({
      id: `desk ${search}`,
      name: search === '' ? fullName : fillText(consoleTexts.onlyDesk, { desk: fullName }),
      run: () => show(search),
    })),
  ]);
  return several && open && <SwitcherPanel groups={groups} onClose={() => setOpen(false)} />;
}

/** In the rail: a button for each profile, or one that opens the panel, if they are many or the window is low. */
export function RailSwitcher() {
  const registry = useCommandRegistry();
  const show = useShowScope();
  const { search, profile } = useScope();
  const choices = useChoices().flatMap(([first]) => first ?? []);
  const isLow = useMediaQuery('(max-height: 600px)');
  const chosen = choices.find(({ picture }) => picture === (profile ?? 'all'));
  if (!chosen) return null;
  return (
    <>
      {isLow || choices.length > 1 + BESIDE_EACH_OTHER ? (
        <RailButton
          choice={chosen}
          label={`${consoleTexts.switcher}: ${chosen.name}`}
          aria-haspopup="dialog"
          onClick={() => registry.run('switcher')}
        />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; these act at once.
        <div className={rail.profiles} role="group" aria-label={consoleTexts.switcher}>
          {choices.map((choice) => (
            <RailButton
              key={choice.search}
              choice={choice}
              label={choice.name}
              aria-pressed={choice === chosen}
              onClick={() => choice.search !== search && show(choice.search)}
            />
          ))}
        </div>
      )}
      <hr />
    </>
  );
}

type RailButtonProps = ComponentProps<'button'> & { choice: Choice; label: string };

function RailButton({ choice, label, ...rest }: RailButtonProps) {
  const { desks, queues } = useConsole();
  const onDuty = useMemo(() => {
    const aliases = desks.filter(({ alias, off }) => !off && choice.desks.includes(alias));
    return aliases.flatMap(({ alias }) => shownQueues(queues, [alias]));
  }, [desks, queues, choice]);
  // The number of all is that of the queue.
  const { unread } = useQueueCounts(onDuty);
  return (
    <button
      type="button"
      className={rail.profile}
      title={label}
      aria-label={unread > 0 ? fillText(consoleTexts.queueUnread, { queue: label, count: unread }) : label}
      {...rest}
    >
      {choice.picture && <SwitcherPicture of={choice.picture} size={40} />}
      {unread > 0 && <b>{formatNumber(unread)}</b>}
    </button>
  );
}
