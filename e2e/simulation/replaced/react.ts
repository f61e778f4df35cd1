/** The part of React that the composers' hooks need: one component without output, rendered after every change. */

type Cell = { value?: unknown; deps?: readonly unknown[] | undefined; clean?: (() => void) | undefined };
type Context<T> = { value: T };

class Component<Result> {
  result!: Result;
  mounted = true;
  #cells: Cell[] = [];
  #at = 0;
  #effects: (() => void)[] = [];
  #planned = false;
  readonly #render: () => Result;

  constructor(render: () => Result) {
    this.#render = render;
    this.update();
  }

  cell(create: () => Cell): Cell {
    this.#cells[this.#at] ??= create();
    const cell = this.#cells[this.#at] as Cell;
    this.#at += 1;
    return cell;
  }

  effect(run: () => unknown, deps: readonly unknown[] | undefined): void {
    const cell = this.cell(() => ({}));
    const before = cell.deps;
    if (before && deps && before.every((each, at) => Object.is(each, deps[at]))) return;
    cell.deps = deps;
    this.#effects.push(() => {
      cell.clean?.();
      const clean = run();
      cell.clean = typeof clean === 'function' ? (clean as () => void) : undefined;
    });
  }

  changed(): void {
    if (this.#planned || !this.mounted) return;
    this.#planned = true;
    queueMicrotask(() => {
      this.#planned = false;
      if (this.mounted) this.update();
    });
  }

  update(): void {
    this.#at = 0;
    this.result = within(this, this.#render);
    for (const run of this.#effects.splice(0)) run();
  }

  unmount(): void {
    this.mounted = false;
    for (const { clean } of this.#cells) clean?.();
  }
}

let current: Component<unknown> | undefined;

function within<Result>(component: Component<unknown>, render: () => Result): Result {
  const before = current;
  current = component;
  try {
    return render();
  } finally {
    current = before;
  }
}

function here(): Component<unknown> {
  if (current === undefined) throw new Error('a hook outside of a component');
  return current;
}

/** Mounts a component. Its result changes with every render. */
export function mount<Result>(
  render: () => Result,
): Pick<Component<Result>, 'result' | 'unmount' | 'changed'> {
  return new Component(render);
}

export function useState<T>(initial: T | (() => T)): [T, (next: T) => void] {
  const component = here();
  const cell = component.cell(() => ({
    value: typeof initial === 'function' ? (initial as () => T)() : initial,
  }));
  const set = (next: T): void => {
    if (Object.is(cell.value, next)) return;
    cell.value = next;
    component.changed();
  };
  return [cell.value as T, set];
}

export function useRef<T>(initial: T): { current: T } {
  return here().cell(() => ({ value: { current: initial } })).value as { current: T };
}

export function useEffect(run: () => unknown, deps?: readonly unknown[]): void {
  here().effect(run, deps);
}

export function useLayoutEffect(run: () => unknown, deps?: readonly unknown[]): void {
  here().effect(run, deps);
}

export function useEffectEvent<Args extends unknown[]>(
  run: (...args: Args) => unknown,
): (...args: Args) => unknown {
  const newest = useRef(run);
  newest.current = run;
  return (...args) => newest.current(...args);
}

export function useSyncExternalStore<T>(subscribe: (listener: () => void) => () => void, get: () => T): T {
  const component = here();
  useEffect(() => subscribe(() => component.changed()), [subscribe]);
  return get();
}

export function useMemo<T>(make: () => T, deps: readonly unknown[]): T {
  const cell = here().cell(() => ({}));
  if (!cell.deps?.every((each, at) => Object.is(each, deps[at])))
    Object.assign(cell, { value: make(), deps });
  return cell.value as T;
}

export function useCallback<T>(callback: T, deps: readonly unknown[]): T {
  return useMemo(() => callback, deps);
}

export function createContext<T>(value: T): Context<T> {
  return { value };
}

/** Contexts are set just before a render: see Console. */
export function useContext<T>(context: Context<T>): T {
  return context.value;
}
