import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { fillText } from '@settee/protocol/texts/fillText';

/** The gateway stores "Firefox on Android", one of both names, or nothing. */
export function browserText(stored: string): string {
  const [browser = '', system] = stored.split(' on ');
  if (system === undefined) return browser || deviceTexts.unknownBrowser;
  return fillText(deviceTexts.browserOn, { browser, system });
}
