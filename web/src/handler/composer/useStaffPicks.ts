import { useEffect, useState } from 'react';
import { type Picks, usePicks } from '../../chat/images/usePicks.ts';
import type { LiveConversation } from '../../chat/liveConversation.ts';
import { useSignedIn } from '../context.ts';

/** The files that wait in this conversation's composer: there again for who looked at another chat meanwhile. */
export function useStaffPicks(conversation: LiveConversation): Picks {
  const { images } = useSignedIn().console;
  const [before] = useState(() => images.waiting(conversation));
  const picks = usePicks(before);
  const { files } = picks;
  useEffect(() => images.setWaiting(conversation, files), [images, conversation, files]);
  return {
    ...picks,
    send: (take) =>
      picks.send(async (file) => {
        const wrong = await take(file);
        // Also when nobody is here any more to see it leave.
        images.setWaiting(
          conversation,
          images.waiting(conversation).filter((other) => other !== file),
        );
        return wrong;
      }),
  };
}
