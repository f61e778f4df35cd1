import { createContext, type ReactNode } from 'react';
import type { ImageScript } from '../images/useImageScript.ts';
import type { Entry } from '../model/entries.ts';
import type { LiveConversation } from '../model/liveConversation.ts';

/** What all bubbles of a list share. */
export type Thread = {
  /** The name of the other side. */
  name: string;
  /** Renders media. Until it has loaded, the space is reserved. */
  MediaView?: ImageScript['MediaView'] | undefined;
  /** Sends a refused message again, or dismisses it. */
  unsent?: Pick<LiveConversation, 'retry' | 'drop'> | undefined;
  /** Below a message that was not sent because a colleague answered first. Never used for visitors. */
  returned?: ((entry: Entry) => ReactNode) | undefined;
};

export const ThreadContext = createContext<Thread>({ name: '' });
