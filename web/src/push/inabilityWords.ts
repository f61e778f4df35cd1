import { pushTexts } from '@settee/protocol/pushTexts';
import { texts } from '@settee/protocol/texts';

/** Why this browser gets no notifications here, whatever its owner chooses. */
export const inabilityWords = {
  unsupported: texts.noticesUnsupported,
  insecure: pushTexts.insecure,
  iosTab: pushTexts.iosSafari,
} as const;
