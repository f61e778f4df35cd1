import { consoleTexts } from '@settee/protocol/texts/consoleTexts';

/** The profile's name, as on the visitor's page, and that this is not that page. A person or a step stands first. */
export function consoleTitle(profileName: string, first = ''): string {
  return [first, profileName, consoleTexts.consoleSuffix].filter((part) => part !== '').join(' · ');
}
