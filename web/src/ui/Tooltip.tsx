import {
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import styles from './Tooltip.module.css';

/** Left and right as on a page that reads to the right; on one that reads to the left they change places. */
type Position = 'top' | 'bottom' | 'left' | 'right';

type TooltipProps = {
  text: string;
  position?: Position;
  /** Milliseconds until it shows for a pointer or the keyboard; a tap does not wait. */
  delay?: number;
  /** What it is about. It is handed the tooltip's id, for aria-labelledby or aria-describedby. */
  children: (id: string) => ReactNode;
};

const FROM_EDGE = 8;

/**
 * Words beside a thing: on hover, on keyboard focus, on a tap. They stay while pointer or focus do, the pointer may
 * move onto them, Esc puts them away, and the window's edge does not cut them off.
 */
export function Tooltip({ text, position = 'top', delay = 200, children }: TooltipProps) {
  const id = useId();
  const wrap = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [open, setOpen] = useState(false);

  function turn(on: boolean, after = 0): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(setOpen, after, on);
  }

  function leave(event: { pointerType?: string }): void {
    const stays = event.pointerType === 'touch' || wrap.current?.matches(':hover, :has(:focus-visible)');
    if (!stays) turn(false);
  }

  useEffect(() => () => clearTimeout(timer.current), []);
  useLayoutEffect(() => {
    if (open && tip.current) keepInView(tip.current, position);
  }, [open, position]);
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      const elsewhere = event instanceof KeyboardEvent ? event.key === 'Escape' : !holds(wrap.current, event);
      if (elsewhere) setOpen(false);
    };
    document.addEventListener('keydown', close);
    document.addEventListener('pointerdown', close);
    return () => {
      document.removeEventListener('keydown', close);
      document.removeEventListener('pointerdown', close);
    };
  }, [open]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches what happens to the thing inside
    <span
      ref={wrap}
      className={styles.wrap}
      onPointerEnter={(event) => event.pointerType !== 'touch' && turn(true, delay)}
      onPointerUp={(event: PointerEvent) => event.pointerType === 'touch' && turn(true)}
      onPointerLeave={leave}
      onFocus={(event) => event.target.matches(':focus-visible') && turn(true, delay)}
      onBlur={() => leave({})}
    >
      {children(id)}
      <span ref={tip} id={id} className={styles.tip} role="tooltip" data-position={position} hidden={!open}>
        {text}
      </span>
    </span>
  );
}

function holds(wrap: HTMLElement | null, { target }: Event): boolean {
  return target instanceof Node && wrap?.contains(target) === true;
}

/** To the other side where its own has no room (from beside the thing, under it), then along the edge into view. */
function keepInView(tip: HTMLElement, position: Position): void {
  const { clientWidth, clientHeight } = document.documentElement;
  const box = () => tip.getBoundingClientRect();
  const beside = position === 'left' || position === 'right';
  tip.dataset.position = position;
  tip.style.setProperty('--shift', '0px');
  const { top, right, bottom, left } = box();
  if (top < 0 || bottom > clientHeight || (beside && (left < 0 || right > clientWidth))) {
    tip.dataset.position = position === 'bottom' ? 'top' : 'bottom';
  }
  const shift = Math.max(FROM_EDGE - box().left, Math.min(0, clientWidth - FROM_EDGE - box().right));
  tip.style.setProperty('--shift', `${shift}px`);
}
