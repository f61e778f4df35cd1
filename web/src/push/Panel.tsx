import { texts } from '@settee/protocol/texts';
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { FieldError } from '../ui/FieldError.tsx';
import { chooseNotices, type Permission, readPermission, wantsNotices } from './notices.ts';
import styles from './Panel.module.css';

export type PanelLook = {
  /** What is offered, where that is more than one chat. */
  offer?: string;
  on?: string;
  /** Beside the bell, where it stands in no header. */
  side?: 'right';
};

type PanelProps = PanelLook & {
  /** Holds the bell and this panel: a press elsewhere closes it. */
  corner: RefObject<HTMLElement | null>;
  permission: Permission;
  onPermission: (permission: Permission) => void;
  onClose: () => void;
};

export function Panel({ corner, permission, onPermission, onClose, side, ...words }: PanelProps) {
  const title = useId();
  const panel = useRef<HTMLElement>(null);
  useFocusInside(panel, corner);
  useClosing(corner, onClose);
  // It may have been changed in the browser's own settings since.
  useEffect(() => onPermission(readPermission()), [onPermission]);

  const blocked = permission === 'denied';
  return (
    <section
      ref={panel}
      className={styles.panel}
      data-side={side}
      role="dialog"
      aria-labelledby={title}
      tabIndex={-1}
    >
      <h2 id={title} className={styles.title}>
        {blocked ? texts.noticesBlocked : texts.notifications}
      </h2>
      {blocked ? (
        <Blocked />
      ) : permission === 'unsupported' ? (
        <p className={styles.note}>{texts.noticesUnsupported}</p>
      ) : (
        <Choice {...words} granted={permission === 'granted'} onPermission={onPermission} />
      )}
    </section>
  );
}

function Blocked() {
  return (
    <>
      <ol className={styles.steps}>
        {texts.noticesUnblock.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Button className={styles.button} onClick={() => location.reload()}>
        {texts.refreshPage}
      </Button>
    </>
  );
}

type ChoiceProps = Omit<PanelLook, 'side'> & {
  granted: boolean;
  onPermission: (permission: Permission) => void;
};

function Choice({ granted, onPermission, ...words }: ChoiceProps) {
  const [wanted, setWanted] = useState(wantsNotices);
  const [refused, setRefused] = useState(false);
  const on = granted && wanted;

  function choose(next: boolean): void {
    chooseNotices(next);
    setWanted(next);
  }

  async function enable(): Promise<void> {
    const answer = await Notification.requestPermission();
    setRefused(answer !== 'granted');
    choose(answer === 'granted');
    onPermission(answer);
  }

  return (
    <>
      <p className={styles.note} role="status">
        {on ? (words.on ?? texts.noticesOn) : (words.offer ?? texts.noticesOffer)}
      </p>
      <Button className={styles.button} onClick={() => (on ? choose(false) : void enable())}>
        {on ? texts.disable : texts.enable}
      </Button>
      <FieldError text={refused ? texts.noticesDenied : null} />
    </>
  );
}

/** Takes the focus; gives it back to the bell, unless the person has moved on to something else. */
function useFocusInside(panel: RefObject<HTMLElement | null>, corner: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const own = panel.current;
    const bell = corner.current?.querySelector('button');
    own?.focus();
    return () => {
      const { activeElement } = document;
      if (activeElement === document.body || own?.contains(activeElement)) bell?.focus();
    };
  }, [panel, corner]);
}

/** Esc, a press elsewhere, and focus that moves on close it. */
function useClosing(corner: RefObject<HTMLElement | null>, onClose: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    const onElsewhere = ({ target }: Event) => {
      if (target instanceof Node && !corner.current?.contains(target)) onClose();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('click', onElsewhere);
    document.addEventListener('focusin', onElsewhere);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('click', onElsewhere);
      document.removeEventListener('focusin', onElsewhere);
    };
  }, [corner, onClose]);
}
