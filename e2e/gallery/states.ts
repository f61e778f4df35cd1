import { adminFrameStates } from './adminFrameStates.ts';
import { consoleFrameStates } from './consoleFrameStates.ts';
import { consoleImageStates } from './consoleImageStates.ts';
import { consoleStates } from './consoleStates.ts';
import { consoleWritingStates } from './consoleWritingStates.ts';
import { conversationAdminStates } from './conversationAdminStates.ts';
import { dashboardStates } from './dashboardStates.ts';
import { hostStates } from './hostStates.ts';
import { inviteStates } from './inviteStates.ts';
import { keyboardStates } from './keyboardStates.ts';
import { peopleStates } from './peopleStates.ts';
import { profileStates } from './profileStates.ts';
import { pushStates } from './pushStates.ts';
import { rightsStates } from './rightsStates.ts';
import { securityStates } from './securityStates.ts';
import type { State } from './stage.ts';
import { visitorStates } from './visitorStates.ts';

export const allStates: State[] = [
  ...visitorStates,
  ...hostStates,
  ...pushStates,
  ...rightsStates,
  ...consoleStates,
  ...consoleFrameStates,
  ...keyboardStates,
  ...consoleWritingStates,
  ...consoleImageStates,
  ...adminFrameStates,
  ...securityStates,
  ...dashboardStates,
  ...profileStates,
  ...inviteStates,
  ...peopleStates,
  ...conversationAdminStates,
];

/** The selected states, or all. */
export function chosenStates(): State[] {
  const names = (process.env.GALLERY_ONLY ?? '').split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !allStates.some((state) => state.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no state ${unknown.join(', ')}. There are: ${allStates.map(({ name }) => name).join(', ')}`,
    );
  }
  return names.length === 0 ? allStates : allStates.filter(({ name }) => names.includes(name));
}
