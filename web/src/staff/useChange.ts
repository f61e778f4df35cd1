import { type FormEvent, type RefObject, use, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { type Toast, ToastsContext } from './toast/toasts.ts';

/** How a change ended: as a call answers, or the text of a problem (empty: nothing to show), or undefined on success. */
type Outcome = { ok: true; answer?: unknown } | { ok: false; text: string } | string | undefined;
export type Reply = Outcome | Promise<Outcome>;

export type AnswerOf<R extends Reply> = InOutcome<Awaited<R>>;
type InOutcome<O> = O extends { ok: true; answer: infer A } ? A : O extends undefined ? undefined : never;

export type After<R extends Reply> = {
  /** Runs if the component is still on the screen. The change lasts until this is done too. */
  done?: (answer: AnswerOf<R>) => unknown;
  /** A toast about the success. It outlives the page. */
  say?: string | ((answer: AnswerOf<R>) => string | Toast | undefined) | undefined;
  /** What is changed, in a list: changes of different things may run at once. */
  of?: string;
};

/**
 * Makes one change at a time, so a double click makes one. The component shows the error text, unless `problems` go to
 * a toast. They always do if the component is gone.
 */
export function useChange(problems: 'here' | 'toast' = 'here') {
  const toasts = use(ToastsContext);
  const mounted = useMountedRef();
  const running = useRef(new Set<string>());
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  /** True on success. */
  const run = useCallback(
    async <R extends Reply>(send: () => R, { done, say, of = '' }: After<R> = {}): Promise<boolean> => {
      if (running.current.has(of)) return false;
      running.current.add(of);
      setBusy(true);
      setError(null);
      const outcome = await send();
      const problem = problemOf(outcome);
      if (problem === null) {
        const { answer } = { answer: undefined, ...(outcome as object) } as { answer: AnswerOf<R> };
        const toast = typeof say === 'function' ? say(answer) : say;
        if (toast !== undefined) toasts?.show(typeof toast === 'string' ? { text: toast } : toast);
        if (mounted.current) await done?.(answer);
      } else if (problems === 'here' && mounted.current) setError(problem);
      else if (problem !== '') toasts?.show({ text: problem });
      running.current.delete(of);
      setBusy(running.current.size > 0);
      return problem === null;
    },
    [toasts, problems, mounted],
  );

  function submit<R extends Reply>(send: () => R, after?: After<R>) {
    return (event: FormEvent) => {
      event.preventDefault();
      void run(send, after);
    };
  }

  return { busy, error, run, submit, clear: () => setError(null) };
}

function problemOf(outcome: Outcome): string | null {
  if (typeof outcome !== 'object') return outcome ?? null;
  return outcome.ok ? null : outcome.text;
}

/** Leaves the page. Never resolves, so that a form stays busy until then. */
export function leave(go: () => void): Promise<never> {
  go();
  return new Promise(() => {});
}

/** True while mounted. Late answers must not affect another page. */
export function useMountedRef(): RefObject<boolean> {
  const mounted = useRef(true);
  useLayoutEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return mounted;
}
