import { conversationAdminStates, integrationStates, inviteStates, peopleStates } from './adminListStates.ts';
import { adminFrameStates, dashboardStates, profileStates, securityStates } from './adminStates.ts';
import { consoleProfileStates } from './consoleProfileStates.ts';
import { consoleFrameStates, consoleStates, consoleWritingStates, keyboardStates } from './consoleStates.ts';
import { consoleImageStates, imageStates } from './imageStates.ts';
import { profileListStates } from './profileListStates.ts';
import { pushStates } from './pushStates.ts';
import type { State } from './stage.ts';
import { arriving, chatting, ended, hostStates, more, rightsStates } from './visitorStates.ts';

/** Each group is one accessibility test. A new state belongs to the group of its list. `pushStates` have their own. */
export const stateGroups: Readonly<Record<string, State[]>> = {
  arriving,
  chat: [...chatting, ...hostStates],
  'menus, rights and the end of a chat': [...more, ...rightsStates, ...ended],
  'images of a visitor': imageStates,
  'console queue': consoleStates,
  'console frame': consoleFrameStates,
  'console keys and palette': keyboardStates,
  'console notes, replies and images': [...consoleWritingStates, ...consoleImageStates],
  'console with several profiles': consoleProfileStates,
  'admin frame': adminFrameStates,
  security: securityStates,
  dashboard: dashboardStates,
  'profile, hours and audit': profileStates,
  invites: inviteStates,
  people: peopleStates,
  'several profiles': profileListStates,
  integrations: integrationStates,
  'conversations of all desks': conversationAdminStates,
};

export const allStates: State[] = [...Object.values(stateGroups).flat(), ...pushStates];

/** The selected states, or all. */
export function chosenStates(): State[] {
  const names = (process.env.GALLERY_ONLY ?? '').split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !allStates.some((state) => state.name === name));
  const all = allStates.map(({ name }) => name).join(', ');
  if (unknown.length > 0) throw new Error(`There is no state ${unknown.join(', ')}. There are: ${all}`);
  return names.length === 0 ? allStates : allStates.filter(({ name }) => names.includes(name));
}
