import type { StaffClaims } from '@settee/protocol/model/staff';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { systemClock } from '../../net/clock.ts';
import { browserDevice } from '../../push/device.ts';
import { browserMemory } from '../../push/memory.ts';
import type { PanelWords } from '../../push/Panel.tsx';
import type { Push } from '../../push/push.ts';
import { pushFor } from '../../push/subscription.ts';
import type { SessionStore } from '../../staff/session.ts';

export const staffWords: PanelWords = {
  push: { offer: pushTexts.staffOffer, on: pushTexts.staffOn },
  notices: { offer: consoleTexts.noticesOffer, on: consoleTexts.noticesOn },
};

/** Notifications of whoever is signed in here. Without an alias there is no desk to tell of. */
export function staffPush(
  session: SessionStore,
  { staffId, alias }: Pick<StaffClaims, 'staffId' | 'alias'>,
): Push {
  return pushFor({
    person: { side: 'staff', id: alias === null ? null : staffId },
    device: browserDevice,
    memory: browserMemory,
    api: session.api,
    clock: systemClock,
  });
}
