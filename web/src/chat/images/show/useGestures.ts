import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { FIT, type Point, panBy, type Sizes, type View, ZOOM_IN, zoomTo } from './zoom.ts';

/** A smaller movement counts as a press. */
const TREMBLE_PX = 8;
const SWIPE_PX = 60;
const DOUBLE_WITHIN_MS = 350;
const WHEEL_PACE = 0.01;

type Parts = {
  stage: RefObject<HTMLElement | null>;
  picture: RefObject<HTMLElement | null>;
  onSwipe: (step: -1 | 1) => void;
};

/** Zoom, pan and swipe in the viewer, by pointer, touch, wheel and button. */
export function useGestures({ stage, picture, onSwipe }: Parts) {
  const [view, setView] = useState<View>(FIT);
  /** Swipe distance of an image that is not zoomed. */
  const [pulled, setPulled] = useState(0);
  const down = useRef(new Map<number, Point>());
  const strayed = useRef(false);
  const tappedAt = useRef(0);

  const room = useCallback(
    (): Sizes => ({ picture: sizeOf(picture.current), stage: sizeOf(stage.current) }),
    [picture, stage],
  );
  const fromMiddle = useCallback(
    ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
      const box = stage.current?.getBoundingClientRect() ?? new DOMRect();
      return { x: clientX - box.x - box.width / 2, y: clientY - box.y - box.height / 2 };
    },
    [stage],
  );

  // React's wheel listeners are passive and cannot prevent the page from zooming.
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const at = fromMiddle(event);
      setView((before) => zoomTo(before, before.scale * Math.exp(-event.deltaY * WHEEL_PACE), at, room()));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [stage, fromMiddle, room]);

  function onPointerDown(event: PointerEvent): void {
    if (down.current.size === 0) strayed.current = false;
    down.current.set(event.pointerId, fromMiddle(event));
  }

  function onPointerMove(event: PointerEvent): void {
    const before = down.current.get(event.pointerId);
    if (!before) return;
    const now = fromMiddle(event);
    if (!strayed.current && distance(before, now) < TREMBLE_PX) return;
    if (!strayed.current) stage.current?.setPointerCapture(event.pointerId);
    strayed.current = true;
    const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1];
    const by = { x: now.x - before.x, y: now.y - before.y };
    down.current.set(event.pointerId, now);
    if (other) {
      const grown = distance(now, other) / Math.max(distance(before, other), 1);
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      setPulled(0);
      setView((was) =>
        panBy(zoomTo(was, was.scale * grown, middle, room()), { x: by.x / 2, y: by.y / 2 }, room()),
      );
    } else if (view.scale > 1) setView((was) => panBy(was, by, room()));
    else if (event.pointerType === 'touch') setPulled((was) => was + by.x);
  }

  function onPointerEnd(event: PointerEvent): void {
    down.current.delete(event.pointerId);
    if (event.type === 'pointerup' && Math.abs(pulled) > SWIPE_PX) onSwipe(pulled < 0 ? 1 : -1);
    setPulled(0);
  }

  function toggle(at: Point = { x: 0, y: 0 }): void {
    setView((was) => (was.scale > 1 ? FIT : zoomTo(was, ZOOM_IN, at, room())));
  }

  return {
    view,
    pulled,
    toggle,
    reset: () => setView(FIT),
    zoomBy: (factor: number) => setView((was) => zoomTo(was, was.scale * factor, { x: 0, y: 0 }, room())),
    moveBy: (by: Point) => setView((was) => panBy(was, by, room())),
    /** A press without a drag. A double press zooms. */
    onPress(event: { clientX: number; clientY: number; timeStamp: number }): void {
      if (strayed.current) return;
      const second = event.timeStamp - tappedAt.current < DOUBLE_WITHIN_MS;
      tappedAt.current = second ? 0 : event.timeStamp;
      if (second) toggle(fromMiddle(event));
    },
    /** Whether the last press was the end of a drag. */
    strayed: () => strayed.current,
    pointerHandlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp: onPointerEnd,
      onPointerCancel: onPointerEnd,
    },
  };
}

/** The size before transforms. */
function sizeOf(element: HTMLElement | null): { width: number; height: number } {
  return { width: element?.offsetWidth ?? 0, height: element?.offsetHeight ?? 0 };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
