import { initials } from '@settee/protocol/model/initials';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { type ReactNode, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useSwitch } from '../../browser/storedSwitch.ts';
import { ThemeChoice } from '../../browser/ThemeChoice.tsx';
import items from '../../staff/menu/items.module.css';
import { LanguageChoice } from '../../staff/menu/LanguageChoice.tsx';
import { ActionItem, CheckItem, MenuButton, MenuHeader } from '../../staff/menu/MenuButton.tsx';
import { NameList } from '../../staff/NameList.tsx';
import { ProfilePicture } from '../../staff/ProfilePicture.tsx';
import { useChange } from '../../staff/useChange.ts';
import { Hidden } from '../../ui/Hidden.tsx';
import { iconShapes } from '../../ui/Icon.tsx';
import { useConnected, useConsole, useSignedIn } from '../context.ts';
import { useCommandRegistry } from '../keys/commands.ts';
import { type OwnDesk, useOwnDesks } from '../queue/ownDesks.ts';
import { shapes } from '../shapes.ts';
import styles from './AccountMenu.module.css';
import { keysSetting, queueAfterClosing, soundSetting } from './settings.ts';

/** The signed-in person: availability, console settings and sign-out. */
export function AccountMenu({ className }: { className?: string | undefined }) {
  const { session, staff, console } = useSignedIn();
  const { away: isAway, alias = staff.alias } = useConsole();
  const desks = useOwnDesks();
  // Off duty at every desk is the same for visitors.
  const allOff = desks.length > 0 && desks.every(({ off }) => off);
  const away = isAway || allOff;
  const registry = useCommandRegistry();
  const navigate = useNavigate();
  const { error, run } = useChange();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const connected = useConnected();
  const availability = !connected
    ? consoleTexts.notConnected
    : away
      ? consoleTexts.away
      : consoleTexts.online;

  /** After the choices before it, so that the last one counts. */
  function inTurn(send: () => Promise<string | undefined>): void {
    last.current = last.current.then(() => run(send));
  }

  async function setAway(next: boolean) {
    const answer = await session.api('setAvailability', { body: { away: next } });
    if (!answer.ok) return consoleTexts.availabilityFailed;
    console.setAway(answer.answer.away);
    if (next || !allOff) return;
    for (const { alias } of desks) {
      const wrong = await setOff(alias, false);
      if (wrong !== undefined) return wrong;
    }
  }

  async function setOff(alias: string, off: boolean) {
    const answer = await session.api('setDeskOff', { params: { alias }, body: { off } });
    if (answer.ok) console.setOff(alias, answer.answer.off);
    return answer.ok ? undefined : consoleTexts.availabilityFailed;
  }

  return (
    <>
      <MenuButton
        label={fillText(consoleTexts.meAs, { me: consoleTexts.me, name: staff.name, state: availability })}
        className={[styles.button, className].filter(Boolean).join(' ')}
        face={
          <span className={styles.me} data-away={away || !connected}>
            {initials(staff.name)}
          </span>
        }
      >
        {(choose) => {
          const shortcuts = registry.all().filter(({ id }) => id === 'shortcuts');
          const actions = [
            ...shortcuts.map(({ run }) => ({ text: consoleTexts.shortcutsTitle, shape: shapes.keys, run })),
            ...(staff.role === 'admin'
              ? [{ text: adminTexts.navigation, shape: shapes.shield, run: () => location.assign('/admin') }]
              : []),
            { text: accountTexts.security, shape: iconShapes.lock, run: () => void navigate('/security') },
            { text: consoleTexts.signOut, shape: shapes.out, run: () => registry.run('signOut') },
          ];
          return (
            <>
              <MenuHeader
                name={staff.name}
                note={
                  desks.length > 0 ? (
                    <NameList
                      names={[...new Set(desks.map(({ name, profile }) => profile?.displayName ?? name))]}
                    />
                  ) : (
                    alias
                  )
                }
              />
              <Availability away={away} error={error} onChoose={(next) => inTurn(() => setAway(next))} />
              {desks.length > 0 && (
                <Duty desks={desks} onChoose={({ alias, off }) => inTurn(() => setOff(alias, !off))} />
              )}
              <Settings />
              <AfterClosing />
              <ThemeChoice />
              <LanguageChoice api={session.api} />
              <div className={items.group}>
                {actions.map((action) => (
                  <ActionItem key={action.text} choose={choose} action={action} />
                ))}
              </div>
            </>
          );
        }}
      </MenuButton>
      {/* A menu cannot contain an alert, so screen readers get it here. */}
      <Hidden>
        <span role="alert">{error}</span>
      </Hidden>
    </>
  );
}

function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a menu may not contain a fieldset
    <div role="group" aria-label={label} className={items.group}>
      <span className={items.label} aria-hidden="true">
        {label}
      </span>
      {children}
    </div>
  );
}

type AvailabilityProps = { away: boolean; error: string | null; onChoose: (away: boolean) => void };

function Availability({ away, error, onChoose }: AvailabilityProps) {
  return (
    <MenuGroup label={consoleTexts.availability}>
      {[false, true].map((each) => (
        <CheckItem
          key={String(each)}
          role="menuitemradio"
          checked={away === each}
          onChoose={() => onChoose(each)}
        >
          <span className={styles.dot} data-away={each} />
          {each ? consoleTexts.away : consoleTexts.online}
        </CheckItem>
      ))}
      {error && (
        <span className={styles.error} aria-hidden="true">
          {error}
        </span>
      )}
    </MenuGroup>
  );
}

type DutyProps = { desks: readonly OwnDesk[]; onChoose: (desk: OwnDesk) => void };

/** At each desk, below its profile if there are several: on duty or off. */
function Duty({ desks, onChoose }: DutyProps) {
  const choices = (own: readonly OwnDesk[]) =>
    own.map((desk) => (
      <CheckItem key={desk.alias} role="menuitemcheckbox" checked={!desk.off} onChoose={() => onChoose(desk)}>
        <bdi>{desk.name}</bdi>
      </CheckItem>
    ));
  return (
    <MenuGroup label={consoleTexts.onDuty}>
      {[...Map.groupBy(desks, ({ profile }) => profile)].map(([profile, own]) =>
        profile ? (
          // biome-ignore lint/a11y/useSemanticElements: a menu may not contain a fieldset
          <div key={profile.slug} role="group" aria-label={profile.displayName}>
            <span className={styles.profile} aria-hidden="true">
              <ProfilePicture profile={profile} size={20} />
              <bdi className="cut">{profile.displayName}</bdi>
            </span>
            {choices(own)}
          </div>
        ) : (
          choices(own)
        ),
      )}
    </MenuGroup>
  );
}

const settings = [
  { setting: soundSetting, text: consoleTexts.sound },
  { setting: keysSetting, text: consoleTexts.shortcutsOn },
];

function Settings() {
  return (
    <div className={items.group}>
      {settings.map((each) => (
        <SettingItem key={each.text} {...each} />
      ))}
    </div>
  );
}

function AfterClosing() {
  const toQueue = useSwitch(queueAfterClosing);
  return (
    <MenuGroup label={consoleTexts.afterClosing}>
      {[true, false].map((each) => (
        <CheckItem
          key={String(each)}
          role="menuitemradio"
          checked={toQueue === each}
          onChoose={() => queueAfterClosing.set(each)}
        >
          {each ? consoleTexts.afterClosingQueue : consoleTexts.afterClosingNext}
        </CheckItem>
      ))}
    </MenuGroup>
  );
}

function SettingItem({ setting, text }: (typeof settings)[number]) {
  const on = useSwitch(setting);
  return (
    <CheckItem role="menuitemcheckbox" checked={on} onChoose={() => setting.set(!on)}>
      {text}
    </CheckItem>
  );
}
