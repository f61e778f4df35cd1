import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

type Caret = {
  /** Null while the field has no focus. */
  at: number | null;
  /** Where it stands, or stood last. */
  last: () => number;
  note: () => void;
  leave: () => void;
  /** Once the text that is written now is in the field. */
  moveTo: (place: number) => void;
};

/** Where in the field somebody writes. */
export function useCaret(field: RefObject<HTMLTextAreaElement | null>, text: string): Caret {
  const [at, setAt] = useState<number | null>(null);
  const wanted = useRef<number | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what the place belongs to
  useLayoutEffect(() => {
    if (wanted.current === null || !field.current) return;
    field.current.setSelectionRange(wanted.current, wanted.current);
    field.current.scrollTop = field.current.scrollHeight;
    setAt(wanted.current);
    wanted.current = null;
  }, [text]);

  return {
    at,
    last: () => field.current?.selectionStart ?? 0,
    note() {
      const element = field.current;
      // With words selected, the next letter replaces them: no place to offer anything.
      if (element) setAt(element.selectionStart === element.selectionEnd ? element.selectionStart : null);
    },
    leave: () => setAt(null),
    moveTo(place) {
      wanted.current = place;
    },
  };
}
