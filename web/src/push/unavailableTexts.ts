import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { texts } from '@settee/protocol/texts/texts';

/** Why this browser cannot have notifications here. */
export const unavailableTexts = {
  unsupported: texts.noticesUnsupported,
  insecure: pushTexts.insecure,
  iosTab: pushTexts.iosSafari,
} as const;
