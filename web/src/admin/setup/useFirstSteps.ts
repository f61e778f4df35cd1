import { useEffect, useState } from 'react';
import { useManaged } from '../useManaged.ts';

export type Step = 'profile' | 'handler' | 'invite';

/** Which are done; each is asked again on news of its own, until all are. Undefined before the first answer. */
export function useFirstSteps(): Record<Step, boolean> | undefined {
  const [over, setOver] = useState(false);
  const asked = { enabled: !over };
  const profile = useManaged('profile', 'readFirstSteps', {}, asked).data?.profile;
  const handler = useManaged('staff', 'readFirstSteps', {}, asked).data?.handler;
  const invite = useManaged('invites', 'readFirstSteps', {}, asked).data?.invite;
  const all = profile === true && handler === true && invite === true;
  useEffect(() => {
    if (all) setOver(true);
  }, [all]);
  if (profile === undefined || handler === undefined || invite === undefined) return undefined;
  return { profile, handler, invite };
}
