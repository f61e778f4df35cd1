import { createContext, useContext, useLayoutEffect, useRef } from 'react';

/** An action that is available now, by key or from the palette. */
export type Command = {
  id: string;
  /** The name in the palette. */
  name: string;
  /** Lower case, with its modifier ('mod+k'). See keyRules.ts. */
  key?: string;
  run: () => void;
};

/** All commands that mounted components offer. The latest come first. */
type Commands = {
  offer(commands: () => readonly Command[]): () => void;
  all(): Command[];
  /** Runs the command that has this id now, if any. */
  run(id: string): void;
};

export function commandRegistry(): Commands {
  const offers = new Set<() => readonly Command[]>();
  const all = () => [...offers].reverse().flatMap((commands) => commands());
  return {
    offer(commands) {
      offers.add(commands);
      return () => offers.delete(commands);
    },
    all,
    run: (wanted) =>
      all()
        .find(({ id }) => id === wanted)
        ?.run(),
  };
}

export const CommandsContext = createContext<Commands | null>(null);

export function useCommandRegistry(): Commands {
  const registry = useContext(CommandsContext);
  if (!registry) throw new Error('Commands are offered outside of the console');
  return registry;
}

/** Offers commands while the component is mounted. */
export function useCommands(commands: readonly Command[]): void {
  const registry = useCommandRegistry();
  const newest = useRef(commands);
  useLayoutEffect(() => {
    newest.current = commands;
  });
  useLayoutEffect(() => registry.offer(() => newest.current), [registry]);
}
