import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { texts } from '@settee/protocol/texts/texts';

/** Why this browser gets no notifications here, whatever its owner chooses. */
export const unavailableTexts = {
  unsupported: texts.noticesUnsupported,
  insecure: pushTexts.insecure,
  iosTab: pushTexts.iosSafari,
} as const;
