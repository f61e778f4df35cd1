import { consoleTexts } from '@settee/protocol/consoleTexts';

/** The profile's name, as on the visitor's page, and that this is not that page. */
export function consoleTitle(profileName: string): string {
  return `${profileName} · ${consoleTexts.consoleSuffix}`;
}
