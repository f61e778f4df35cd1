import { createContext, useContext, useLayoutEffect, useRef } from 'react';

/** Something that can be done now: by its key, or from the palette. */
export type Command = {
  id: string;
  /** What the palette calls it. */
  name: string;
  /** As `KeyboardEvent.key` says it, lower case, behind its modifier ('mod+k'). keyRules.ts says where it works. */
  key?: string;
  run: () => void;
};

/** All that the screens on show offer at this moment. What came last goes first. */
export type Commands = {
  offer(commands: () => readonly Command[]): () => void;
  all(): Command[];
  /** Does what is offered under this id by now, if anything is: the page may have gone on since it was drawn. */
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

/** Offers these for as long as the component is on show; always the newest version of them. */
export function useCommands(commands: readonly Command[]): void {
  const registry = useCommandRegistry();
  const newest = useRef(commands);
  useLayoutEffect(() => {
    newest.current = commands;
  });
  useLayoutEffect(() => registry.offer(() => newest.current), [registry]);
}
