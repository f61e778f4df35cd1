import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { texts } from '@settee/protocol/texts/texts';
import {
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { reloadPage } from '../browser/reloadPage.ts';
import { Button } from '../ui/Button.tsx';
import { bellShapes } from '../ui/bellShapes.ts';
import { FieldError } from '../ui/FieldError.tsx';
import { Shape } from '../ui/Icon.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import { useHistoryOverlay } from '../ui/useHistoryOverlay.ts';
import styles from './Bell.module.css';
import { type Push, type PushState, unavailableTexts } from './push.ts';

export type BellProps = PanelLook & {
  /** Notifications of the current user. Without it the bell is disabled. */
  push: Push | undefined;
  /** The user is still being signed in. */
  loading?: boolean;
  /** Shows only the panel, which another control opens. */
  bare?: boolean;
  /** Calls back when another control wants to open the panel. */
  openedBy?: (open: () => void) => () => void;
};

/** The notification settings: a bell, and the panel that opens under its header. */
export function Bell({ push, loading = false, bare = false, openedBy, ...look }: BellProps) {
  const corner = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const status = usePushStatus(push);
  const looking = status === 'loading';
  const state = loading || (push && looking) ? 'loading' : push ? 'normal' : 'muted';

  useEffect(() => openedBy?.(() => setOpen(true)), [openedBy]);

  return (
    <div ref={corner} className={look.side && styles.corner}>
      {!bare && (
        <Tooltip text={texts.notifications} position={look.side ?? 'bottom'}>
          {(id) => (
            <button
              type="button"
              className={`icon-button ${styles.bell}`}
              aria-labelledby={id}
              aria-haspopup="dialog"
              aria-expanded={open}
              aria-disabled={state !== 'normal'}
              data-state={state}
              data-on={status === 'on'}
              onClick={() => state === 'normal' && setOpen(!open)}
            >
              <Shape paths={bellShapes[state === 'muted' ? 'bellOff' : 'bell']} size={22} />
            </button>
          )}
        </Tooltip>
      )}
      {open && push && <Panel {...look} corner={corner} push={push} onClose={() => setOpen(false)} />}
    </div>
  );
}

const never = () => () => {};

function usePushStatus(push: Push | undefined) {
  return useSyncExternalStore(push?.subscribe ?? never, () => push?.get().status);
}

type PanelLook = {
  panelTexts: PanelTexts;
  /** Beside the bell, if it is not in a header. */
  side?: 'right';
};

/** Texts before and after enabling: with push, and for an installation without it. */
export type PanelTexts = Record<'push' | 'notices', { offer: string; on: string }>;

/** These texts say only that something failed. */
const helpless: readonly (string | null)[] = [
  pushTexts.noToken,
  pushTexts.enableFailed,
  pushTexts.disableFailed,
];

type PanelProps = PanelLook & {
  push: Push;
  /** Contains the bell and this panel. A click outside closes the panel. */
  corner: RefObject<HTMLElement | null>;
  onClose: () => void;
};

function Panel({ push, corner, onClose, side, panelTexts }: PanelProps) {
  const title = useId();
  const panel = useRef<HTMLElement>(null);
  const state = useSyncExternalStore(push.subscribe, push.get);
  const { status } = state;
  useFocusInside(panel, corner);
  useClosing(corner, onClose);
  useHistoryOverlay(onClose);
  useFocusKept(panel, status);
  useEffect(() => void push.look(), [push]);

  const blocked = status === 'blocked';
  const on = isOn(status);
  return (
    <section
      ref={panel}
      className={styles.panel}
      data-side={side}
      role="dialog"
      aria-labelledby={title}
      tabIndex={-1}
    >
      <div className={styles.top}>
        <span className={styles.mark} data-look={blocked ? 'blocked' : on ? 'on' : 'off'}>
          <Shape paths={bellShapes[blocked ? 'bellOff' : 'bell']} size={22} />
        </span>
        <h2 id={title} className={styles.title}>
          {blocked ? texts.noticesBlocked : texts.notifications}
        </h2>
      </div>
      {blocked ? (
        <Blocked />
      ) : status in unavailableTexts ? (
        <p className={styles.note}>{unavailableTexts[status as keyof typeof unavailableTexts]}</p>
      ) : (
        <Choice push={push} state={state} panelTexts={panelTexts} />
      )}
      <FieldError
        text={state.problem}
        advice={helpless.includes(state.problem) ? texts.tryHelp : undefined}
      />
    </section>
  );
}

function Blocked() {
  const touch = matchMedia('(pointer: coarse)').matches;
  return (
    <>
      <ol className={styles.steps}>
        {texts.noticesUnblock.map((step, at) => (
          <li key={step}>{at === 0 && touch ? texts.unblockTap : step}</li>
        ))}
      </ol>
      <Button className={styles.button} onClick={reloadPage}>
        {texts.refreshPage}
      </Button>
    </>
  );
}

const isOn = (status: PushState['status']) => status === 'on' || status === 'inTab';

const busyTexts = { enabling: pushTexts.enabling, disabling: pushTexts.disabling } as const;

function Choice({ push, state, panelTexts }: { push: Push; state: PushState; panelTexts: PanelTexts }) {
  const { status, offers, busy, news } = state;
  const on = isOn(status);
  const kind = status === 'on' ? 'push' : status === 'inTab' ? 'notices' : offers;
  if (kind === null) {
    return (
      <p className={styles.note} role="status">
        {texts.loading}
      </p>
    );
  }
  // Not `disabled`, which would move the focus out of the panel.
  const idle = { 'aria-disabled': busy !== null };
  return (
    <>
      <p className={styles.note} role="status">
        {panelTexts[kind][on ? 'on' : 'offer']}
      </p>
      <Button
        look={on ? 'outline' : 'primary'}
        className={styles.button}
        {...idle}
        onClick={() => void (on ? push.disable() : push.enable())}
      >
        {busy && busy !== 'testing' ? busyTexts[busy] : on ? texts.disable : texts.enable}
      </Button>
      {status === 'on' && (
        <Button look="quiet" className={styles.test} {...idle} onClick={() => void push.test()}>
          {pushTexts.test}
        </Button>
      )}
      <p className={styles.news} role="status">
        {news}
      </p>
    </>
  );
}

type ElementRef = RefObject<HTMLElement | null>;

/** Focuses the panel. Returns the focus to the bell or to where it was, unless the user has moved it elsewhere. */
function useFocusInside(panel: ElementRef, corner: ElementRef): void {
  useLayoutEffect(() => {
    const own = panel.current;
    const before = document.activeElement;
    const bell = corner.current?.querySelector<HTMLElement>('[aria-haspopup]') ?? before;
    own?.focus();
    return () => {
      const { activeElement } = document;
      const stayed = activeElement === document.body || own?.contains(activeElement);
      if (stayed && bell instanceof HTMLElement) bell.focus();
    };
  }, [panel, corner]);
}

/** Keeps the focus in the panel when the focused button disappears. */
function useFocusKept(panel: ElementRef, state: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the state changes.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus();
  }, [panel, state]);
}

/** Closes the panel on Esc, on a click outside, and when the focus leaves. */
function useClosing(corner: ElementRef, onClose: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    // The path at the start of the event: a press on a button may already have removed the button.
    const onElsewhere = (event: Event) => {
      if (corner.current && !event.composedPath().includes(corner.current)) onClose();
    };
    const listeners = new AbortController();
    const { signal } = listeners;
    document.addEventListener('keydown', onKey, { signal });
    document.addEventListener('click', onElsewhere, { signal });
    document.addEventListener('focusin', onElsewhere, { signal });
    return () => listeners.abort();
  }, [corner, onClose]);
}
