import { stateGroups } from '../gallery/states.ts';
import { examineStates, galleryOptions } from './accessibility.ts';
import { alsoNightly, expect, test } from './watched.ts';

test.use(galleryOptions);

// The same states as in the gallery, so a new gallery state is also checked here.
for (const [group, states] of Object.entries(stateGroups)) {
  test(
    `[A11Y-10] ${group}: every state passes axe, its fields are readable on touch, and focus returns`,
    alsoNightly,
    async ({ browser, desk, watcher }) => {
      expect(await examineStates(states, { browser, desk, watcher }), 'what is wrong, by state').toEqual({});
    },
  );
}
