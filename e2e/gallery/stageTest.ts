import { test as watched } from '../product/watched.ts';
import { type Desk, openDesk } from './stage.ts';

/** A test that can reach the states of the gallery. */
export const test = watched.extend<object, { desk: Desk }>({
  // One for all states of a test worker. Its handler never leaves.
  desk: [
    async ({ browser }, use) => use(await openDesk(browser, process.env.PUBLIC_URL ?? '')),
    { scope: 'worker' },
  ],
});
