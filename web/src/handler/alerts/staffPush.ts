import type { StaffClaims } from '@settee/protocol/model/staff';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { systemClock } from '../../net/clock.ts';
import type { PanelTexts } from '../../push/Bell.tsx';
import { browserDevice, browserPushMemory } from '../../push/device.ts';
import type { Push } from '../../push/push.ts';
import { pushFor } from '../../push/subscription.ts';
import type { SessionStore } from '../../staff/session.ts';

export const staffPanelTexts: PanelTexts = {
  push: { offer: pushTexts.staffOffer, on: pushTexts.staffOn },
  notices: { offer: consoleTexts.noticesOffer, on: consoleTexts.noticesOn },
};

/** Push notifications for the signed-in person. Without an alias there is no desk to report. */
export function staffPush(
  session: SessionStore,
  { staffId, alias }: Pick<StaffClaims, 'staffId' | 'alias'>,
): Push {
  return pushFor({
    person: { side: 'staff', id: alias === null ? null : staffId },
    device: browserDevice,
    memory: browserPushMemory,
    api: session.api,
    clock: systemClock,
  });
}
